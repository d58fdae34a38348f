import type { Mode } from '../domain/types.js';
import type { Judge } from './decide.js';
import { rank } from './rank.js';

/** The id of the rule by which suggest mode keeps a change from running; such a call is no refusal but a suggestion. */
export const SUGGEST_RULE = 'mode.suggest';

/** What makes a call too unusual to run unasked in auto mode. */
export type Unusual = string | undefined;

/** The mode of a session as a judge. `unusual` is set for a call that auto mode must ask for all the same. */
export const judgeByMode =
  (mode: Mode, unusual: Unusual): Judge =>
  (_input, risk) => {
    const changes = rank(risk) >= rank('high');
    switch (mode) {
      case 'read-only':
        return changes
          ? [
              {
                id: 'mode.read-only',
                effect: 'deny',
                reason: `read-only mode allows nothing above medium; this call is ${risk}`,
              },
            ]
          : [];
      case 'suggest':
        return changes
          ? [{ id: SUGGEST_RULE, effect: 'deny', reason: 'suggest mode writes changes down and runs none' }]
          : [];
      case 'paranoid':
        return [{ id: 'mode.paranoid', effect: 'confirm', reason: 'paranoid mode asks for every call' }];
      case 'auto':
        if (!changes) return [];
        return unusual === undefined
          ? [{ id: 'mode.auto', effect: 'allow', reason: 'auto mode runs high calls unasked' }]
          : [{ id: 'mode.auto', effect: 'confirm', reason: `auto mode asks for this one: ${unusual}` }];
      case 'ask':
        return [];
    }
  };

/** What a mode lets happen to reads and to changes: 0 nothing, 1 what a person says yes to, 2 also more. */
const LETS: Readonly<Record<Mode, readonly [reads: number, changes: number]>> = {
  'read-only': [2, 0],
  suggest: [2, 0],
  paranoid: [1, 1],
  ask: [2, 1],
  auto: [2, 2],
};

/** Whether a mode lets happen what another one does not, of reads or of changes. */
export const isLooser = (mode: Mode, than: Mode): boolean =>
  LETS[mode].some((level, index) => level > (LETS[than][index] ?? 0));
