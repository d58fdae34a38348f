import { createHash } from 'node:crypto';

/**
 * SHA-256 of texts of the tools that ship which no table can judge, read by hand: templates that print names where values would
 * be printed, and scripts that only read. Whoever changes one of them changes its line here; a test says so.
 */
const KNOWN: ReadonlySet<string> = new Set([
  // Templates of docker_inspect and docker_inspect_image.
  '18d0ed6a8166a84554f1ef98b3485b1eb77f9de98334c32432147691cd3b84b5',
  '3907c7413ab7c958be324dbcdb49396e372ae9663d88e96790e032352378f7e2',
  // Template of kubectl_secret_keys.
  'b0526995f3f9f3fc4f2fdd633b6be03126a1a7281313d144457638418623f5eb',
  // Scripts of host_open_files and host_facilities.
  '4b951172273f937cef0d98858cebcef5f131689c973dbf6f8b9eae0315ff8d63',
  '6891f2230c4bd06b3abbc70e146e8c1f31e7aa4310578816a429f696aae55ac9',
]);

/** Whether a text is one of those. A script is its interpreter and its code, with NUL between the items. */
export const isKnownText = (text: string): boolean => KNOWN.has(createHash('sha256').update(text).digest('hex'));
