import { disguises } from './lookalikes.js';

/** What a line may hold, as bits; a line without any is not looked at more closely. */
export const MAY_HOLD = {
  name: 1,
  shape: 2,
  url: 4,
  at: 8,
  pem: 16,
  object: 32,
  client: 64,
  scheme: 128,
  disguise: 256,
} as const;
/** Every bit: for a line that was held back. */
export const ANYTHING = 511;

const LITERALS: Readonly<Record<Exclude<keyof typeof MAY_HOLD, 'disguise'>, string>> = {
  name: `passw passphrase passcode pwd _pass .pass pass= pass": pass\\": secret token api_key api-key apikey api.key access_key
 access-key accesskey access.key private_key private-key privatekey private.key account_key accountkey account-key encryption_key encryption-key
 encryptionkey signing_key signing-key signingkey shared_key sharedkey shared-key master_key master-key masterkey
 auth_key authkey client_key client-key clientkey service_key servicekey service-key credential auth sessid session_id session-id
 sessionid dockerc connectionstring connection_string connection-string`,
  shape: `ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- glrt- gldt- glcbt- glptt- glsoat- glft- xoxa- xoxb- xoxe xoxo- xoxp- xoxr- xoxs- xapp- hooks.slack.com webhook.office
 discord.com/api discordapp.com/api sk- sk_live_ sk_test_ rk_live_ rk_test_ whsec_ akia asia agpa aida aroa aipa anpa anva a3t aiza ya29. eyj ls0tls1 npm_ pypi- dckr_pat_ dckr_oat_ hf_ sg. sk0 sk1 sk2 sk3 sk4 sk5
 sk6 sk7 sk8 sk9 ska skb skc skd ske skf dop_v1_ doo_v1_ dor_v1_ shpat_ shppa_ shpca_ shpss_ lin_api_ figd_ dapi hvs. hvb. hvr. gsk_ glsa_ glc_ age-secret-key- $2a$ $2b$ $2y$ $2x$
 $5$ $6$ $1$ $y$ $apr1$ $argon2 {sha} {ssha} pmak- rubygems_ atlasv ntn_ vcp_ vci_ vca_ vcr_ vck_ sig= x-amz-signature
 x-goog-signature nvapi- xai- pplx- fo1_ @tcp( @unix( tskey- key- secret_ eaac nrak- phc_ phx_ sntrys_ sbp_ re_ api_org_`,
  url: '://',
  at: '@',
  pem: '-----begin',
  object: 'secret data": data\\": data:',
  scheme: 'bearer basic cookie identified',
  client:
    'mysql mariadb sshpass curl wget redis-cli mongo ldap docker psql netrc machine htpasswd smbclient --user requirepass masterauth openssl from-literal',
};

/** Ends of longer words that tell nothing. */
const QUIET = ['metadata":', 'metadata\\":', 'metadata:'];
const WIDTH = 256;
const NEWLINE = 10;

export interface Scanner {
  /** The state at the end of a line; those above it mean something: look their bits up. Before any byte of a line it is 0. */
  readonly lineEnd: number;
  /** The next state, at the state plus the byte. States are multiples of 256. */
  readonly next: Uint32Array;
  /** Bits of a state, at a 256th of it. */
  readonly bits: Uint16Array;
}

let built: Scanner | undefined;

/**
 * An automaton that finds all literals in one pass over the bytes (Aho and Corasick, 1975), small and capital letters alike.
 * One comparison a byte tells that a literal or a line has ended.
 */
export function scanner(): Scanner {
  built ??= build();
  return built;
}

interface Node {
  readonly children: Map<number, Node>;
  fail: Node | undefined;
  bits: number;
  isQuiet: boolean;
  id: number;
}

const newNode = (): Node => ({ children: new Map(), fail: undefined, bits: 0, isQuiet: false, id: 0 });

function trie(): Node {
  const root = newNode();
  const plant = (word: string): Node => {
    let node = root;
    for (const byte of Buffer.from(word)) {
      const child = node.children.get(byte) ?? newNode();
      node.children.set(byte, child);
      node = child;
    }
    return node;
  };
  for (const [name, words] of Object.entries(LITERALS)) {
    const bit = MAY_HOLD[name as keyof typeof LITERALS];
    for (const word of words.split(/\s+/)) plant(word === 'basic' ? 'basic ' : word).bits |= bit;
  }
  for (const part of disguises()) plant(part).bits |= MAY_HOLD.disguise;
  for (const word of QUIET) plant(word).isQuiet = true;
  return root;
}

/** Every node, parents first, each with the node of its longest suffix. */
function linked(root: Node): Node[] {
  const nodes = [root];
  for (const node of nodes) {
    for (const [kind, child] of node.children) {
      let fail = node.fail;
      while (fail && !fail.children.has(kind)) fail = fail.fail;
      child.fail = fail?.children.get(kind) ?? root;
      if (!child.isQuiet) child.bits |= child.fail.bits;
      nodes.push(child);
    }
  }
  return nodes;
}

function build(): Scanner {
  const nodes = linked(trie());
  const quiet = nodes.filter((node) => node.bits === 0);
  const telling = nodes.filter((node) => node.bits !== 0);
  const end = quiet.length;
  for (const [id, node] of quiet.entries()) node.id = id;
  for (const [at, node] of telling.entries()) node.id = end + 1 + at;
  const next = new Uint32Array((nodes.length + 1) * WIDTH);
  const bits = new Uint16Array(nodes.length + 1);
  // Parents come first, so the row of a shorter suffix is there when it is copied.
  for (const node of nodes) {
    const row = node.id * WIDTH;
    if (node.fail) next.copyWithin(row, node.fail.id * WIDTH, (node.fail.id + 1) * WIDTH);
    for (const [byte, child] of node.children) {
      next[row + byte] = child.id * WIDTH;
      if (byte < 128) next[row + String.fromCharCode(byte).toUpperCase().charCodeAt(0)] = child.id * WIDTH;
    }
    next[row + NEWLINE] = end * WIDTH;
    bits[node.id] = node.bits;
  }
  next.copyWithin(end * WIDTH, 0, WIDTH);
  return { lineEnd: end * WIDTH, next, bits };
}
