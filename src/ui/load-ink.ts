import type { startInkUi } from './ink.js';

/**
 * Loads the interactive screen. The layout engine of Ink fetches its own code from a data: address when there is a `fetch`,
 * which loads an HTTP client that nobody needs; so there is none while Ink loads.
 */
export async function loadInkUi(): Promise<typeof startInkUi> {
  const fetchProperty = Object.getOwnPropertyDescriptor(globalThis, 'fetch');
  if (fetchProperty)
    Object.defineProperty(globalThis, 'fetch', { value: undefined, configurable: true, writable: true });
  try {
    return (await import('./ink.js')).startInkUi;
  } finally {
    if (fetchProperty) Object.defineProperty(globalThis, 'fetch', fetchProperty);
  }
}
