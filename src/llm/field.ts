/** Reads an own property of a value nobody has checked; undefined when there is none. Never reaches a prototype. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
