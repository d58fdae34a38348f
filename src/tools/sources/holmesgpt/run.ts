import type { JsonObject, RunSpec } from '../../../domain/types.js';
import type { ParseBash } from '../../../lib/bash.js';
import { isObject } from '../../../lib/json-values.js';
import { commandsDigest } from '../../../lib/script-commands.js';
import { bindScript } from './bind.js';
import { environmentOf, readScript } from './commands.js';
import { createMarks, type Marks, refuse } from './marks.js';
import { mayBeAbsent, schemaOf } from './parameters.js';
import { expandTemplate } from './template.js';

interface RunOptions {
  readonly declared: Readonly<Record<string, JsonObject>>;
  readonly config: JsonObject;
  /** Environment variables that the toolset says it needs. */
  readonly env: readonly string[];
  readonly parse: ParseBash;
}

const INTERPRETER = ['bash'];

/** What programs need of the environment beside what every child gets. */
const CLOUD =
  `AWS_PROFILE AWS_REGION AWS_DEFAULT_REGION AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
  AWS_SESSION_TOKEN AWS_ROLE_ARN AWS_WEB_IDENTITY_TOKEN_FILE CLOUDSDK_CONFIG CLOUDSDK_ACTIVE_CONFIG_NAME GOOGLE_APPLICATION_CREDENTIALS
  AZURE_CONFIG_DIR AZURE_CLIENT_ID AZURE_TENANT_ID AZURE_FEDERATED_TOKEN_FILE KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT
  HTTPS_PROXY HTTP_PROXY NO_PROXY https_proxy http_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR`.split(/\s+/);

/**
 * The `run:` block and the parameters of a tool: a script for each choice of parameters that are there, with the values in variables,
 * and the commands in it.
 * @throws OpsError usage when values could be read as anything but text.
 */
export async function runOf(tool: JsonObject, options: RunOptions): Promise<{ run: RunSpec; parameters: JsonObject }> {
  const { declared, config, env, parse } = options;
  const text = templateOf(tool);
  const marks = createMarks(text);
  const template = markEnvironment(text, env, marks);
  const guardedOf = await expandTemplate(template, { declared: {}, config, marks });
  const absent = Object.entries(declared).map(([name, one]) => [
    name,
    mayBeAbsent(one, guardedOf.guarded.includes(name)),
  ]);
  const expanded = await expandTemplate(template, {
    declared: Object.fromEntries(absent),
    config: filledConfig(config, marks),
    marks,
  });
  const parameters = schemaOf(declared, expanded);
  const variants = expanded.variants.map(({ present, text: rendered }) => {
    const context = { variables: marks.variables, parse, reference: (name: string) => `\${${name}}`, nested: false };
    const code = bindScript(rendered.trim(), context);
    const reading = readScript(code, parse) ?? refuse('its shell code cannot be read');
    const { commands, endsInSearch } = reading;
    const digest = commandsDigest(INTERPRETER, code, commands as unknown as JsonObject[]);
    return { present, code, commands, digest, ...(endsInSearch && { ends_in_search: true }) };
  });
  const read = variants.flatMap(({ code }) => environmentOf(code, parse));
  const run = {
    ...{ kind: 'script', interpreter: INTERPRETER, optional: expanded.optional },
    variants: variants as unknown as JsonObject[],
    env: [...new Set([...env, ...read, ...CLOUD, ...prefixed(variants.map(({ code }) => code))])],
  };
  return { run, parameters };
}

/** Some programs have variables of their own. */
const prefixed = (codes: readonly string[]): string[] =>
  codes.some((code) => /\bargocd\b/.test(code)) ? ['ARGOCD_SERVER', 'ARGOCD_AUTH_TOKEN', 'ARGOCD_OPTS'] : [];

function templateOf({ command, script }: JsonObject): string {
  const text = typeof command === 'string' && command.trim() !== '' ? command : script;
  if (typeof text !== 'string' || text.trim() === '') return refuse('it has neither a command nor a script');
  const shebang = /^#!([^\n]*)/.exec(text.trimStart())?.[1];
  if (shebang !== undefined && !/\b(ba|da|z|k)?sh\s*(-[a-z]+\s*)*$/.test(shebang))
    refuse('its script is not for a shell');
  if (/\bARG_/.test(text)) refuse('it uses variables called ARG_…, which hold the values here');
  return text;
}

/**
 * `$NAME` of a variable that the toolset says it needs is a value too: the template's own program puts it in before a shell sees the
 * text, also between single quotes.
 */
const markEnvironment = (text: string, env: readonly string[], marks: Marks): string =>
  env.reduce(
    (done, name) =>
      done.replaceAll(new RegExp(`(?<!\\\\)\\$(?:\\{${name}\\}|${name}(?!\\w))`, 'g'), () => marks.of(name)),
    text,
  );

/** `{{ env.NAME }}` in the texts of `config`. */
function filledConfig(config: JsonObject, marks: Marks): JsonObject {
  const fill = (text: string) => text.replaceAll(/\{\{\s*env\.(\w+)\s*\}\}/g, (_, name: string) => marks.of(name));
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      typeof value === 'string' ? fill(value) : isObject(value) ? filledConfig(value, marks) : value,
    ]),
  );
}
