import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../src/lib/width.js';
import { renderMarkdown } from '../../src/ui/markdown.js';

const plain = (markdown: string, width = 60) => renderMarkdown(markdown, { width, color: false }).split('\n');

describe('renderMarkdown', () => {
  it.each([
    ['a hyperlink escape', 'see \u001b]8;;http://evil\u0007here\u001b]8;;\u0007', 'see here'],
    ['colours and a cleared screen', '\u001b[31mred\u001b[0m \u001b[2Jtext', 'red text'],
    ['bidirectional overrides', 'a\u202eb', 'ab'],
    ['escapes in code', '`a\u001b[2Jb`', 'ab'],
  ])('removes %s', (_, markdown, text) => {
    expect(plain(markdown)).toEqual([text]);
  });

  it('makes no escape out of an entity', () => {
    expect(plain('&#27;[31m &#x1b;[0m &lt;b&gt; &amp;')).toEqual(['<b> &']);
    expect(plain('`&#27;[2J` [&#27;[2J](x&#27;c) \n\n    &#27;[2J').join()).not.toContain('\u001b');
  });

  it('shows where a link leads', () => {
    expect(plain('[kubernetes.io](https://evil.example) <https://k8s.io> ![chart](c.png)')).toEqual([
      'kubernetes.io (https://evil.example) https://k8s.io chart',
      '(c.png)',
    ]);
  });

  it('lays headings, paragraphs, lists, quotes and rules', () => {
    const markdown =
      '# 诊断\ntext **bold** _it_ ~~no~~\nmore\n## Next\n1. one\n   - `a`\n   - [x] b\n2. two\n\n> quoted\n> text\n\n---\nend';
    expect(plain(markdown)).toEqual([
      '诊断',
      '════',
      '',
      'text bold it no more',
      '',
      'Next',
      '────',
      '',
      '1. one',
      '   • a',
      '   • [x] b',
      '2. two',
      '',
      '│ quoted text',
      '',
      '─'.repeat(40),
      '',
      'end',
    ]);
  });

  it('aligns tables by display width', () => {
    expect(plain('| 名称 | STATUS | N |\n|:--|:-:|--:|\n| 订单服务 | **Running** | 12 |\n| pay | x | 0 |')).toEqual([
      '名称     │ STATUS  │  N',
      '─────────┼─────────┼───',
      '订单服务 │ Running │ 12',
      'pay      │    x    │  0',
    ]);
  });

  it('wraps the cells of a wide table, and lists the fields when there is no room', () => {
    const table = '| name | why |\n|--|--|\n| order | the container is killed again and again |';
    expect(plain(table, 30)).toEqual([
      'name  │ why',
      '──────┼───────────────────────',
      'order │ the container is',
      '      │ killed again and again',
    ]);
    expect(plain(table, 14)).toEqual(['name: order', 'why: the', 'container is', 'killed again', 'and again']);
  });

  it('wraps text at the width by columns and leaves code as it is', () => {
    expect(plain('订单服务的容器反复重启 because of memory', 12)).toEqual([
      '订单服务的容',
      '器反复重启',
      'because of',
      'memory',
    ]);
    expect(plain('```sh\nkubectl get pods --namespace=shop\n```', 12)).toEqual(['  kubectl get pods --namespace=shop']);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '订单', '**b**', '`c d`', 'long-word-here', '🚀', '- ', '> ', '\n', ' ', '# ')),
        fc.integer({ min: 20, max: 60 }),
        (parts, width) => {
          // Four columns in, also in a quotation, begins code.
          const tooWide = plain(parts.join(' '), width).filter(
            (line) => widthOf(line) > width && !/^(?:│ ?)* {2}/.test(line),
          );
          expect(tooWide).toEqual([]);
        },
      ),
    );
  });

  it('holds no escape without colour, and only colours with it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const markdown = `# ${text}\n**${text}** \`${text}\`\n\n| ${text} |\n|--|\n| ${text} |\n\n\`\`\`\n${text}\n\`\`\``;
        expect(renderMarkdown(markdown, { width: 40, color: false })).not.toMatch(/(?!\n)\p{Cc}/u);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
        const painted = renderMarkdown(markdown, { width: 40, color: true }).replaceAll(/\u001b\[[\d;]+m/g, '');
        expect(painted).not.toMatch(/(?!\n)\p{Cc}/u);
      }),
    );
  });

  it('prints what is too long or too deep to parse as it is', () => {
    const deep = `${'> '.repeat(18_000)}x`;
    expect(renderMarkdown(deep, { width: 40, color: false })).toBe(deep);
    expect(renderMarkdown(`**${'a'.repeat(50_000)}**`, { width: 40, color: false })).toHaveLength(50_004);
  });
});
