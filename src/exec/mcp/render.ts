import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../domain/errors.js';
import type { Json } from '../../domain/types.js';
import { makePrivateFolder } from '../../lib/folders.js';
import { visibleLine } from '../../lib/visible.js';
import type { CallToolResult } from './client.js';

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'application/pdf': 'pdf',
};

/**
 * A result as text: texts as they are, structured content as JSON when no text says the same, links and embedded resources with their
 * address. Images and other data are kept as files in `folder`, and a note says what they are. `asData`: the structured content alone,
 * when there is one.
 */
export function renderResult(result: CallToolResult, asData: boolean, folder: string | undefined): string {
  const structured = result.structuredContent as Json | undefined;
  if (asData && structured !== undefined && !result.isError) return JSON.stringify(structured, null, 1);
  const parts = result.content.map((block) => renderBlock(block, folder));
  if (structured !== undefined && !result.content.some((block) => saysTheSame(block, structured)))
    parts.push(JSON.stringify(structured, null, 1));
  return parts.join('\n');
}

function renderBlock(block: CallToolResult['content'][number], folder: string | undefined): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${keep(block.data, block.mimeType, folder)}]`;
    case 'resource_link': {
      const parts = [block.title ?? block.name, block.mimeType, block.description].filter(Boolean);
      return `[resource ${visibleLine(block.uri)}: ${visibleLine(parts.join(', '))}]`;
    }
    case 'resource': {
      const { uri, mimeType } = block.resource;
      if ('text' in block.resource) return `[resource ${visibleLine(uri)}]\n${block.resource.text}`;
      return `[resource ${visibleLine(uri)} ${keep(block.resource.blob, mimeType ?? 'unknown type', folder)}]`;
    }
  }
}

function saysTheSame(block: CallToolResult['content'][number], structured: Json): boolean {
  if (block.type !== 'text') return false;
  try {
    return isDeepStrictEqual(JSON.parse(block.text), structured);
  } catch {
    return false;
  }
}

/** Keeps data as a file that is called after its digest, and says what it is. */
function keep(base64: string, mimeType: string, folder: string | undefined): string {
  const data = Buffer.from(base64, 'base64');
  const what = `${visibleLine(mimeType.slice(0, 80))}, ${data.length} bytes`;
  if (folder === undefined) return `${what}, not kept`;
  const digest = createHash('sha256').update(data).digest('hex').slice(0, 16);
  const path = join(folder, `mcp-${digest}.${Object.hasOwn(ENDINGS, mimeType) ? ENDINGS[mimeType] : 'bin'}`);
  try {
    makePrivateFolder(folder);
    writeFileSync(path, data, { mode: 0o600 });
    return `${what}, kept in ${path}`;
  } catch (error) {
    return `${what}, not kept: ${messageOf(error)}`;
  }
}
