import type { Classification } from '../../domain/types.js';
import { entryOf } from './verbs.js';
import { conclude, high, low, type Mark, medium, worst } from './verdict.js';

/** Programs that have no option that changes anything; what their arguments are does not matter. */
const ALWAYS =
  `arch basename dig host top cat cksum column comm cut df diff dirname du echo expand false findmnt fmt fold free getconf getent getfacl
  groups head hexdump id iostat join last locale logname ls lsattr lsblk lscpu lsipc lsmem lsmod lsns lspci lsusb md5sum mpstat
  namei netstat nl nproc nslookup numfmt od paste pgrep pidof pidstat printf ps pstree pwd readlink realpath rev seq sha1sum sha256sum
  sha512sum sleep stat strings sum tac tail test tr tracepath traceroute true tty uname uptime users vmstat w wc whereis
  which who whoami zcat zgrep grep egrep fgrep`.split(/\s+/);

/** Programs that read with some items only: each item must match, and where a second pattern stands the whole line too. */
const SOME: Readonly<Record<string, RegExp>> = {
  // date -s, and `date MMDDhhmm`, set the clock.
  date: /^(-u|--utc|--universal|-R|--rfc-email|-I\w*|--iso-8601(=\w+)?|--rfc-3339=\w+|-d|--date=[\s\S]*|-r|--reference=[\s\S]*|(?!\d+(\.\d+)?$)[^-][\s\S]*)$/,
  // `hostname NAME` sets the name.
  hostname: /^(-[AIadfisy]+|--(all-fqdns|all-ip-addresses|alias|domain|fqdn|long|ip-address|short|yp|nis))$/,
  // -c, -C, -D, -E and -n clear the buffer or change where messages go.
  dmesg:
    /^(-[HJLPTWdehiklrtuwxyp0]+|-[fls]|--(human|json|color(=\w+)?|nopager|ctime|follow(-new)?|show-delta|reltime|time-format=\w+|level=[\w,+]+|facility=[\w,]+|raw|notime|userspace|kernel|decode|since=[\s\S]*|until=[\s\S]*)|(emerg|alert|crit|err|warn|notice|info|debug)(,\w+)*)$/,
  // --vacuum-…, --rotate, --flush, --sync, --relinquish-var, --setup-keys, --update-catalog, --cursor-file change something.
  journalctl:
    /^(-[afxeqkmr]*([bnutpoSUgNFDcIT].*)?|[^-].*|--(dmesg|boot|since|until|unit|user-unit|priority|lines|no-pager|output|output-fields|reverse|catalog|quiet|all|full|no-full|follow|no-tail|grep|case-sensitive|identifier|exclude-identifier|facility|utc|no-hostname|list-boots|disk-usage|system|user|header|fields|field|cursor|after-cursor|show-cursor|invocation|list-invocations|truncate-newline|merge|verify)(=[\s\S]*)?)$/s,
  sort: /^(-[bdfghiMnRrVcCsuzm]+|-[kt].*|[^-].*|--(numeric-sort|reverse|unique|human-numeric-sort|version-sort|general-numeric-sort|ignore-case|key=[\s\S]*|field-separator=[\s\S]*|check|stable|zero-terminated|merge|month-sort|random-sort))$/s,
  // Its second word is a file that it writes.
  uniq: /^-[cdDiuz]+$|^-[fsw]\d+$/,
  // -delete, -exec, -ok, -fprint… change something, and a test that is not known may.
  find: /^(-(name|iname|path|ipath|type|size|mtime|mmin|ctime|cmin|atime|amin|newer|user|group|perm|maxdepth|mindepth|empty|not|o|a|and|or|print|print0|ls|prune|xdev|mount|readable|writable|executable|links|inum|regex|iregex|regextype|uid|gid|nouser|nogroup|printf|true|false|daystart|depth|samefile|[HLP])|[+-]?\d+[a-zA-Z]?|-?\/?[0-7u=rwx,+go]+|[^-][\s\S]*)$/,
  ss: /^(-[0-9a-zA-CE-JL-Z]+|--(tcp|udp|listening|numeric|processes|all|summary|extended|memory|info|options|raw|unix|ipv4|ipv6|no-header)|[^-].*)$/s,
  sysctl: /^(-[anNeqAX]+|--(all|names|values|pattern=[\s\S]*|ignore|quiet)|[^-=][^=]*)$/,
  // Without words it lists.
  mount: /^-[lv]$|^-V$/,
  lsof: /^(-[abCEFGHhKlLMnNOPRrsTtUVvwXxZ]+|-[icpdugS].*|\+[DdLc].*|[^-+].*)$/s,
  sar: /^(-[ABbdFHhPpqrSuvWwy]+|-n|-[ijm]|ALL|DEV|EDEV|TCP|\d+|[A-Z,]+)$/,
  // -f floods.
  ping: /^(-[46DnOqRUvaAbBLhV]+|-[cWwitsIMmQST].*|[^-]\S*)$/,
  arp: /^(-[anve]+|--(all|numeric)|[\d.]+)$/,
  route: /^(-[neCFv46]+|--numeric)$/,
  ethtool: /^(-[ikScgaTdPmlx]|--(driver|show-\S+|statistics)|[a-z][\w.-]*)$/,
  // `-l scterc,70,70` and `-l scttempint,5` set something.
  smartctl:
    /^(-[aHixAc]|--(all|health|info|xall|attributes|capabilities|scan|scan-open)|-l|-d|(?!sct(erc|tempint),)[a-z+,\d]+|\/dev\/\S+)$/,
  tree: /^(-[adfilhupgsDFCnLPI\d]+|--(noreport|du|dirsfirst)|[^-].*)$/s,
  file: /^(-[bhiLkNnprsz0]+|--(brief|mime|mime-type|mime-encoding)|[^-].*)$/s,
  jq: /^(-[crneSsaMCRj]+|--(raw-output|compact-output|slurp|null-input|exit-status|sort-keys|arg|argjson|tab|raw-input)|[^-].*)$/s,
  printenv: /^[A-Za-z_]\w*$/,
  // -n and -N write a configuration.
  pmap: /^(-[xXqdpc]+|--(extended|quiet|device|show-path)|\d+)$/,
  // -w writes its cache, -g cleans it up.
  blkid: /^(-[DikpUL]+|-[lost]|[^-].*)$/s,
};

/** Programs with verbs: the verbs that only show something, one of which must come first. */
const VERBS: Readonly<Record<string, RegExp>> = {
  timedatectl: /^(|status|show|timesync-status|show-timesync|list-timezones)$/,
  hostnamectl: /^(|status)$/,
  localectl: /^(|status|list-[\w-]+)$/,
  loginctl: /^(|list-(sessions|users|seats)|(session|user|seat)-status|show-(session|user|seat))$/,
  networkctl: /^(|list|status|lldp)$/,
  resolvectl: /^(|status|query|statistics)$/,
  chronyc: /^(tracking|sources|sourcestats|activity|ntpdata|rtcdata|serverstats|clients|waitsync)$/,
};
const VERB_OPTIONS =
  /^(-[almnNpPov46cd]|--(no-pager|no-legend|full|all|value|property=.*|json=\w+|output=\w+|lines=\d+|legend=\w+))$/s;

/** A script of sed that prints or drops lines; others can write files and run programs. */
const SED_SCRIPT = /^(\d+|\$|\/[^/\n]*\/)?(,(\d+|\$|\/[^/\n]*\/))?[pdq=]$/;
const SED_OPTIONS = /^(-[nErsuz]+|--(quiet|silent|regexp-extended|separate|null-data))$/;

const ENVIRONMENT = 'it prints values of environment variables';

/** Objects of ip(8), and the verbs that show them. */
const IP = /^(-[46sdoh]+|-(br|brief|json|j|p|pretty|stats|details|oneline|color(=\w+)?|c|family|f|inet6?|resolve|r))$/;
const IP_OBJECTS =
  /^(a|ad|addr|address|l|li|link|r|ro|route|ru|rule|n|ne|neigh|neighbour|neighbor|maddr|mroute|tunnel|nexthop|netconf)$/;
const IP_SHOWS = /^(show|list|ls|sh|get)$/;

const OPENSSL = /^(version|x509|verify|crl|s_client|ciphers|list|asn1parse|dgst|req)$/;
const OPENSSL_WRITES =
  /^--?(out|keyout|new|newkey|signkey|key|sign|req|CA|CAkey|CAcreateserial|CAserial|keylogfile|sess_out|engine|provider|provider-path|config|writerand|msgfile)(=|$)/;

/** Files where passwords, keys and tokens stand. */
const SENSITIVE =
  /(^|\/)(g?shadow-?|environ|\.(ssh|aws|kube|docker|gnupg|netrc|pgpass)|kubeconfig|id_[a-z0-9]+|secrets?)(\/|$)|\.(pem|key|p12|jks|env)$|(^|\/)mem$|^\/dev\/(?!null$)|(secret|token|password|credential)/i;

/** Programs that print their arguments, or what is known of a file beside its contents. */
const NAMES_ONLY =
  `basename df dirname du echo file find findmnt getent ls lsblk lsof namei pgrep printf readlink realpath smartctl stat
  test which`.split(/\s+/);

/** Whether a program only reads when its items allow it. */
export const isReader = (program: string): boolean =>
  ALWAYS.includes(program) ||
  Object.hasOwn(SOME, program) ||
  Object.hasOwn(VERBS, program) ||
  /^(ip|openssl|sed)$/.test(program);

/** Reads an argv of a program that usually reads, without the program. */
export function classifyReader(program: string, items: readonly string[]): Classification {
  const isRead = readsOnly(program, items);
  const files = items.filter((item) => !item.startsWith('-'));
  const opens = !NAMES_ONLY.includes(program);
  const mark: Mark = isRead
    ? worst(
        low(),
        opens && files.some((file) => SENSITIVE.test(file)) && medium('it may print passwords, keys or tokens'),
        program === 'printenv' && medium(ENVIRONMENT),
        // An option without a hyphen.
        program === 'ps' && items.some((item) => /^[A-Za-z]*e[A-Za-z]*$/.test(item)) && medium(ENVIRONMENT),
      )
    : high(`with these arguments ${program} may change something`);
  const scope = isRead ? 'none' : 'unknown';
  return conclude(items, { program, verb: '', mark, scope, reversible: isRead, parsed: [] });
}

function readsOnly(program: string, items: readonly string[]): boolean {
  if (program === 'ip') return ipReads(items);
  if (program === 'openssl') return OPENSSL.test(items[0] ?? '') && !items.some((item) => OPENSSL_WRITES.test(item));
  const words = items.filter((item) => !item.startsWith('-'));
  if (program === 'sed')
    return SED_SCRIPT.test(words[0] ?? '') && items.every((item) => words.includes(item) || SED_OPTIONS.test(item));
  const verbs = entryOf(VERBS, program);
  // With -m every word is a command of its own.
  if (program === 'chronyc' && items.some((item) => /^-\w*m/.test(item))) return false;
  if (verbs)
    return verbs.test(words[0] ?? '') && items.every((item) => words.includes(item) || VERB_OPTIONS.test(item));
  const allowed = entryOf(SOME, program);
  return (
    ALWAYS.includes(program) || (allowed !== undefined && items.every((item) => item === '--' || allowed.test(item)))
  );
}

/** `ip addr`, `ip -br link show dev eth0`, `ip route get 10.0.0.1`; -force, -batch and -netns run more than one sees. */
function ipReads(items: readonly string[]): boolean {
  const words = items.filter((item) => !item.startsWith('-'));
  const [object = '', verb = 'show'] = words;
  const options = items.filter((item) => item.startsWith('-'));
  return options.every((item) => IP.test(item)) && IP_OBJECTS.test(object) && IP_SHOWS.test(verb);
}
