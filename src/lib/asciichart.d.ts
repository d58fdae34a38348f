declare module 'asciichart' {
  /** The lines of a chart; `format` makes the label of a row from its value. */
  export function plot(
    series: readonly number[],
    config: { height: number; format: (value: number) => string },
  ): string;
}
