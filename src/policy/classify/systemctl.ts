import type { Classification } from '../../domain/types.js';
import { flagTable, type Parsed, valuesOf } from './flags.js';
import { changes, draftOf, entryOf, reads, splitVerb, UNDO, type Verb } from './verbs.js';
import { conclude, critical, type Maybe, medium } from './verdict.js';

/** systemctl takes all of its options anywhere. */
const GLOBAL = `!-H,--host= !-M,--machine= !-C,--capsule= !--root= !--image= !--image-policy= --system --user -t,--type= --state= --failed
  -p,--property= -P= -a,--all -l,--full -r,--recursive --reverse --with-dependencies --after --before --job-mode= -T,--show-transaction
  --show-types --value --check-inhibitors= -i --kill-whom= --kill-who= --kill-value= -s,--signal= --what= --now --dry-run -q,--quiet --no-warn
  --wait --no-block --no-wall --no-reload --legend= --no-legend --no-pager --no-ask-password --global --runtime -f,--force
  --preset-mode= -n,--lines= -o,--output= --firmware-setup --boot-loader-menu= --boot-loader-entry= --plain --timestamp= --read-only
  --mkdir --marked --message= --drop-in= --when= --stdin --version -h,--help -v,--verbose`;
const GLOBALS = flagTable(GLOBAL);

/** Whoever stops one of these may lose the machine. */
const LIFELINES =
  /^(ssh|dbus|systemd-|user@|network|NetworkManager|wpa_supplicant|dhc|firewalld|nftables|iptables|ufw|getty|serial-getty|polkit|udev)/;

const onUnits = (call: Parsed): Maybe[] => [
  call.words.some((unit) => /[*?[]/.test(unit)) && critical('it changes every unit that the pattern meets'),
  call.words.some((unit) => LIFELINES.test(unit)) &&
    critical('other programs or the connection to this machine depend on it'),
  call.words.some((unit) => /\.(target|slice|scope|mount|automount|swap)$/.test(unit)) &&
    critical('it changes more than one service'),
  call.words.some((unit) => /(reboot|poweroff|halt|kexec|shutdown|suspend|hibernate|rescue|emergency)/.test(unit)) &&
    critical('it may end the machine'),
];
const ends = changes('all', 'it ends or restarts the machine', '', () => [
  critical('it ends everything that runs on this machine'),
]);
const kill: Verb = changes('all', 'it sends a signal', '', (call) => [
  ...onUnits(call),
  valuesOf(call, '--signal').some((signal) => /KILL|^9$/i.test(signal)) &&
    critical('the program gets no time to finish its work'),
]);
const unit = (reason: string) => changes('all', reason, '', onUnits, UNDO);
const lasting = (reason: string) => changes('all', reason, '', onUnits);

const VERBS: Readonly<Record<string, Verb>> = {
  ...Object.fromEntries(
    `list-units list-sockets list-timers list-jobs list-dependencies list-unit-files list-machines list-automounts list-paths is-active
     is-failed is-enabled is-system-running status show cat get-default whoami`
      .split(/\s+/)
      .map((verb) => [verb, reads('all', '')]),
  ),
  'show-environment': reads('none', '', () => [medium('it prints the values of environment variables')]),
  help: reads('all', ''),
  ...Object.fromEntries(
    `halt poweroff reboot kexec soft-reboot suspend hibernate hybrid-sleep suspend-then-hibernate sleep rescue emergency default exit
     isolate switch-root daemon-reexec`
      .split(/\s+/)
      .map((verb) => [verb, ends]),
  ),
  start: unit('it starts units'),
  stop: unit('it ends units'),
  restart: unit('it ends units and starts them again'),
  'try-restart': unit('it ends units and starts them again'),
  reload: unit('it makes units read their configuration again'),
  'reload-or-restart': unit('it makes units read their configuration again'),
  'try-reload-or-restart': unit('it makes units read their configuration again'),
  enable: unit('it changes what starts with the machine'),
  disable: unit('it changes what starts with the machine'),
  reenable: unit('it changes what starts with the machine'),
  mask: unit('it keeps units from being started'),
  unmask: unit('it lets units be started'),
  freeze: unit('it halts units'),
  thaw: unit('it lets units run on'),
  kill,
  clean: changes('all', 'it removes data of units', '', () => [critical('it deletes state, caches or logs of units')]),
  revert: lasting('it removes local changes of units'),
  edit: lasting('it changes units'),
  'set-property': lasting('it changes units'),
  'reset-failed': unit('it forgets failures'),
  'daemon-reload': changes('none', 'it makes systemd read all units again', '', undefined, UNDO),
};

/** Reads an argv of systemctl, without the program. */
export function classifySystemctl(items: readonly string[]): Classification {
  // It takes options anywhere, so all of them are read again with what follows the verb.
  const { before, word, after } = splitVerb(items, GLOBALS);
  const verb = word === '' ? 'list-units' : word;
  const draft = draftOf(entryOf(VERBS, verb), verb, [...items.slice(0, before.length), ...after], GLOBAL);
  const selects = (draft.targets ?? []).some((target) => /[*?[]/.test(target));
  const { unknown } = before;
  return conclude(items, {
    ...draft,
    program: 'systemctl',
    scope: selects ? 'selector' : (draft.scope ?? 'none'),
    parsed: [{ words: [], unknown, connection: [] }, ...draft.parsed],
  });
}
