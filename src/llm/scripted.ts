import type { ChatModel, ModelReply, ModelRequest } from '../domain/ports.js';

/** A model whose replies are known beforehand, with the requests it got. */
export interface ScriptedModel extends ChatModel {
  /** Copies, in order: what the caller changes later is not seen here. */
  readonly requests: readonly Pick<ModelRequest, 'messages' | 'tools'>[];
}

/** A reply, or one that is made from the request; a function may throw to play a model that fails. */
export type ScriptedReply =
  | Partial<ModelReply>
  | ((request: ModelRequest) => Partial<ModelReply> | Promise<Partial<ModelReply>>);

/**
 * Makes a model that gives the replies of a list, one for each request, and streams their text in one delta.
 * Rejects with the signal's reason when that is aborted, and with an Error when the list is used up.
 */
export function createScriptedModel(replies: readonly ScriptedReply[], name = 'scripted'): ScriptedModel {
  const requests: Pick<ModelRequest, 'messages' | 'tools'>[] = [];
  return {
    name,
    requests,
    async reply(request, signal) {
      signal.throwIfAborted();
      requests.push({ messages: [...request.messages], tools: [...request.tools] });
      const next = replies[requests.length - 1];
      if (next === undefined) {
        throw new Error(
          `The scripted model ${name} has ${replies.length} replies and was asked for number ${requests.length}.`,
        );
      }
      const reply = typeof next === 'function' ? await next(request) : next;
      signal.throwIfAborted();
      if (reply.text) request.onText(reply.text);
      return { text: '', calls: [], ...reply };
    },
  };
}
