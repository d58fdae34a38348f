import { type LockedState, openLockedState } from '../lib/locked-state.js';
import { limitsPath } from '../lib/paths.js';
import { visibleLine } from '../lib/visible.js';
import { fromJson, toJson } from '../limits/state.js';
import type { Io } from './io.js';
import { formatTable } from './table.js';

/** `limits show`. */
export async function showLimits(io: Io, options: { readonly json?: boolean }): Promise<void> {
  const state = openLockedState(limitsPath(io.paths));
  const now = Date.now();
  const { breakers, rate } = await read(state, now);
  const services = Object.entries(breakers).map(([service, breaker]) => ({
    service,
    state: !breaker.opened ? 'closed' : breaker.probe ? 'half-open' : 'open',
    failures_in_row: breaker.failuresInRow,
    last_error: breaker.opened?.lastError ?? null,
  }));
  const rates = Object.entries(rate).map(([limit, fullAtUs]) => ({
    limit,
    all_free_in_seconds: Math.ceil((fullAtUs / 1000 - now) / 1000),
  }));
  if (options.json) return io.out(`${JSON.stringify({ services, rates }, null, 2)}\n`);
  const rows = [
    ...services.map((s) => [s.service, s.state, s.last_error ?? `failures in a row: ${s.failures_in_row}`]),
    ...rates.map((r) => [`rate limit: ${r.limit}`, 'in use', `all free again in ${r.all_free_in_seconds} s`]),
  ];
  if (rows.length === 0) return io.say('No call is counted at the moment.\n');
  const cells = rows.map((row) => row.map(visibleLine));
  io.out(await formatTable(['WHAT', 'STATE', 'DETAILS'], cells, io.outIsTerminal ? io.width : 400));
}

/** `limits reset`. */
export async function resetLimits(io: Io): Promise<void> {
  const state = openLockedState(limitsPath(io.paths));
  await state.update(() => ({ state: toJson({ rate: {}, breakers: {} }, 0), result: undefined }));
  io.say(`Failures and counted calls are forgotten: ${state.path}\n`);
}

const read = (state: LockedState, nowMs: number) =>
  state.update((json) => ({ state: json, result: fromJson(toJson(fromJson(json, state.path), nowMs), state.path) }));
