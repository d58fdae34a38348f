/** Domains in a variable such as `MCP_ALLOWED_DOMAINS`; undefined when it is not set. */
export function domainList(value: string | undefined): readonly string[] | undefined {
  const domains = (value ?? '').split(/[\s,]+/).filter((domain) => domain !== '');
  return domains.length > 0 ? domains : undefined;
}

/**
 * How far a host is allowed by lists of domains, of which every one that is there must hold it: a domain stands for what is below it
 * too, `*` for all. `named`: one of them names the very host, so that it may be private. `public`: it may only be at a public address.
 */
export function standingOfHost(
  host: string,
  lists: readonly (readonly string[] | undefined)[],
): 'named' | 'public' | undefined {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  const given = lists
    .filter((list) => list !== undefined)
    .map((list) => list.map((domain) => domain.toLowerCase().replace(/^\*\./, '')));
  const holds = (domain: string) => domain === '*' || name === domain || name.endsWith(`.${domain}`);
  if (!given.every((list) => list.some(holds))) return undefined;
  return given.some((list) => list.includes(name)) ? 'named' : 'public';
}
