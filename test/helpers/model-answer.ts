export interface ServerCall {
  readonly name: string;
  /** An object is sent as JSON, a string as it is: it may be broken. */
  readonly arguments: string | object;
  readonly id?: string;
}

/** One answer of the server: a chat completion, with or without a fault. Fields combine. */
export interface ServerAnswer {
  readonly text?: string;
  readonly calls?: readonly ServerCall[];
  /** finish_reason; `tool_calls` with calls, else `stop`; null sends none. */
  readonly finish?: string | null;
  /** Prompt and completion tokens, and those of the prompt that were cached; [10, 5]; false sends none. */
  readonly usage?: readonly [number, number, number?] | false;
  /** Sends tool names in two pieces. */
  readonly splitNames?: boolean;
  /** Leaves the ids of tool calls out. */
  readonly missingIds?: boolean;
  /** `[x]` sends x as the index of every tool call; `[undefined]` leaves it out. */
  readonly weirdIndex?: readonly [unknown];
  /** Sends no `data: [DONE]`. */
  readonly noDone?: boolean;
  /** One JSON completion instead of a stream. */
  readonly json?: boolean;
  /** These frames instead of text and calls: strings as they are, anything else as JSON. */
  readonly frames?: readonly unknown[];
  /** A frame that is no JSON, after the first one. */
  readonly garbage?: string;
  /** A text frame of this many bytes. */
  readonly hugeFrame?: number;
  /** Breaks the connection after this many bytes of the body. */
  readonly cut?: number;
  /** Waits this many ms after the first frame. */
  readonly stall?: number;
  /** Waits this many ms before the status line. */
  readonly delay?: number;
  /** Waits this many ms before the last frame, `[DONE]` or not. */
  readonly lateEnd?: number;
  /** Waits this many ms before each frame. */
  readonly drip?: number;
  readonly html?: boolean;
  /** Status, headers and body as they are; an object becomes JSON. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

/** One chunk of a stream. */
export const chunkOf = (delta: object, finish: string | null = null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'test',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

const finishOf = (answer: ServerAnswer): string | null =>
  answer.finish === undefined ? (answer.calls?.length ? 'tool_calls' : 'stop') : answer.finish;

function usageOf(answer: ServerAnswer): object | undefined {
  if (answer.usage === false) return undefined;
  const [prompt, completion, cached] = answer.usage ?? [10, 5];
  const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...details };
}

/** The data of each event of the stream. */
export function framesOf(answer: ServerAnswer): unknown[] {
  const end = answer.noDone ? [] : ['[DONE]'];
  if (answer.frames !== undefined) return [...answer.frames, ...end];
  const usage = usageOf(answer);
  return [
    chunkOf({ role: 'assistant', content: '' }),
    ...(answer.garbage === undefined ? [] : [answer.garbage]),
    ...(answer.hugeFrame === undefined ? [] : [chunkOf({ content: 'x'.repeat(answer.hugeFrame) })]),
    ...piecesOf(answer.text ?? '').map((content) => chunkOf({ content })),
    ...(answer.calls ?? []).flatMap((call, index) => framesOfCall(call, index, answer)),
    chunkOf({}, finishOf(answer)),
    ...(usage === undefined ? [] : [{ ...chunkOf({}), choices: [], usage }]),
    ...end,
  ];
}

function framesOfCall(call: ServerCall, position: number, answer: ServerAnswer): object[] {
  const index = answer.weirdIndex === undefined ? position : answer.weirdIndex[0];
  const id = answer.missingIds ? undefined : (call.id ?? `call_srv_${position}`);
  const half = answer.splitNames ? Math.ceil(call.name.length / 2) : call.name.length;
  const frame = (rest: object): object => chunkOf({ tool_calls: [{ index, ...rest }] });
  return [
    frame({ id, type: 'function', function: { name: call.name.slice(0, half), arguments: '' } }),
    ...(answer.splitNames ? [frame({ function: { name: call.name.slice(half) } })] : []),
    ...piecesOf(argumentsOf(call)).map((piece) => frame({ function: { arguments: piece } })),
  ];
}

const argumentsOf = (call: ServerCall): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);

/** Cuts into small pieces, a long text into at most 1,000; by code points, so that every piece is a text of its own. */
function piecesOf(text: string): string[] {
  const points = [...text];
  const length = Math.max(7, Math.ceil(points.length / 1_000));
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += length) pieces.push(points.slice(at, at + length).join(''));
  return pieces;
}

/** The answer in one piece. */
export const wholeCompletion = (answer: ServerAnswer): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'test',
  choices: [
    {
      index: 0,
      finish_reason: finishOf(answer),
      message: {
        role: 'assistant',
        content: answer.text ?? null,
        tool_calls: answer.calls?.map((call, position) => ({
          ...(answer.missingIds ? {} : { id: call.id ?? `call_srv_${position}` }),
          type: 'function',
          function: { name: call.name, arguments: argumentsOf(call) },
        })),
      },
    },
  ],
  usage: usageOf(answer),
});
