import { describe, expect, test } from 'vitest';
import { importCommand, importTexts, planOf } from '../../helpers/holmesgpt.js';

describe('parameters', () => {
  const parametersOf = async (command: string, parameters: object = {}) => {
    const tool = await importCommand(command, { parameters: parameters as never });
    return typeof tool === 'string' ? tool : tool.parameters;
  };

  test('those in the template are required, unless every place of theirs is guarded or has a default', async () => {
    expect(
      await parametersOf(
        "kubectl get {{ kind }}{% if ns and not all %} -n {{ ns }}{% endif %} {{ kind }} --tail={{ tail | default(3) }} {{ b if b else '' }} {{ config.x | default('y') }} {{ 10 }}",
      ),
    ).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['kind'],
      properties: { kind: { type: 'string' }, ns: { type: 'string' }, tail: { type: 'string' }, b: { type: 'string' } },
    });
  });

  test('what is declared adds types, descriptions, choices and defaults; a null default is none', async () => {
    expect(
      await parametersOf('kubectl logs {{ pod }} {% if n %}--tail={{ n }}{% endif %} {{ ns }} {{ l }} {{ o }}', {
        pod: { type: 'string', description: ' A pod. ', default: null },
        n: { type: 'int', required: true },
        ns: { type: 'string', enum: ['a', 'b'], default: 'a' },
        l: { type: 'array[int]' },
        o: { type: 'object', properties: { x: { type: ['string', 'float'] } }, required: false },
      }),
    ).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['pod', 'n', 'l'],
      properties: {
        pod: { type: 'string', description: 'A pod.' },
        n: { type: 'integer' },
        ns: { type: 'string', enum: ['a', 'b'], default: 'a' },
        l: { type: 'array', items: { type: 'integer' } },
        o: { type: 'object', properties: { x: { type: ['string', 'number'] } } },
      },
    });
  });
});

describe('the environment', () => {
  test('{{ env.X }} and $X of a prerequisite stay variables: their values are in no definition', async () => {
    process.env.SHOP_SECRET = 'hunter2';
    const text = `
toolsets:
  a:
    prerequisites: [{ env: [SHOP_SECRET] }]
    config: { url: "https://{{ env.SHOP_HOST }}" }
    tools:
      - name: t
        description: Asks {{ env.SHOP_HOST }}.
        command: "curl -H 'X: $SHOP_SECRET' {{ config.url }}/{{ env.SHOP_PATH }} $OTHER"
`;
    const { tools } = await importTexts(text);
    const [tool] = tools;
    if (!tool) throw new Error('not imported');
    const { payload } = planOf(tool, {});
    expect(payload.code).toBe(`curl -H 'X: '"\${SHOP_SECRET}"'' https://"\${SHOP_HOST}"/"\${SHOP_PATH}" $OTHER`);
    expect(
      ['SHOP_SECRET', 'SHOP_HOST', 'SHOP_PATH', 'OTHER'].every((name) => (payload.env as string[]).includes(name)),
    ).toBe(true);
    expect(tool.description).toBe('Asks $SHOP_HOST.');
    expect(JSON.stringify(tools)).not.toContain('hunter2');
  });
});
