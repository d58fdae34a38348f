import type { ChalkInstance } from 'chalk';
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { createPainter } from '../lib/colour.js';
import { stripTerminal } from '../lib/visible.js';
import { joinSpans, type Row, rowWidth, type Span, type Style, wrapSpans } from './spans.js';
import { layTable } from './table.js';

export interface MarkdownOptions {
  /** Columns to wrap at. Lines of code are not wrapped. */
  readonly width: number;
  readonly color: boolean;
}

/** Longer texts are printed as they are: no answer is that long, and parsing hostile text takes quadratic time. */
const MAX_PARSED = 40_000;
const MAX_DEPTH = 12;
/** The entities that the lexer leaves in texts; it decodes the numeric ones. */
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/**
 * Markdown as text for a terminal, without a line break at the end. The text is untrusted: terminal escapes, control and
 * bidirectional characters are removed first, so only the styles made here reach the terminal. Without colour the result
 * holds no escapes at all.
 */
export function renderMarkdown(markdown: string, { width, color }: MarkdownOptions): string {
  const text = stripTerminal(markdown).replaceAll('\t', '    ');
  if (text.length > MAX_PARSED) return text.trimEnd();
  const paint = createPainter(color);
  const tokens = parse(text);
  if (!tokens) return text.trimEnd();
  const rows = layBlocks(tokens, { width: Math.max(10, width), color, depth: 0 });
  return rows
    .map((row) =>
      joinSpans(row)
        .map((part) => paintSpan(paint, part))
        .join('')
        .trimEnd(),
    )
    .join('\n')
    .trimEnd();
}

/** The blocks of a text; undefined when it is nested deeper than the parser can go. */
function parse(text: string): readonly Token[] | undefined {
  try {
    return lexer(text);
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

interface Layout {
  readonly width: number;
  readonly color: boolean;
  /** Of nested lists and quotes. */
  readonly depth: number;
}

/** Blocks one under the other, with a blank row between them. */
function layBlocks(tokens: readonly Token[], layout: Layout, tight = false): Row[] {
  const blocks = tokens.map((token) => layBlock(token as MarkedToken, layout)).filter((rows) => rows.length > 0);
  return blocks.flatMap((rows, index) => (index > 0 && !tight ? [[], ...rows] : rows));
}

function layBlock(token: MarkedToken, layout: Layout): Row[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return layHeading(token, layout);
    case 'hr':
      return [[span('─'.repeat(Math.min(layout.width, 40)), 'quiet')]];
    case 'code':
      return token.text.split('\n').map((line) => [span('  '), span(line, 'code')]);
    case 'blockquote':
      return nested(token.tokens, layout, [span('│ ', 'quiet')], [span('│ ', 'quiet')]);
    case 'list':
      return layList(token, layout);
    case 'table':
      return layTable(
        { header: token.header.map(cellOf), rows: token.rows.map((cells) => cells.map(cellOf)), align: token.align },
        layout.width,
      );
    case 'paragraph':
    case 'text':
      return wrapSpans(inline(token.tokens ?? [token]), layout.width);
    default:
      return token.raw.trim() === '' ? [] : wrapSpans([span(token.raw.trim())], layout.width);
  }
}

function layHeading(token: Tokens.Heading, { width, color }: Layout): Row[] {
  const rows = wrapSpans(inline(token.tokens, ['heading']), width);
  if (color || token.depth > 2) return rows;
  const line = (token.depth === 1 ? '═' : '─').repeat(Math.max(...rows.map(rowWidth)));
  return [...rows, [span(line)]];
}

function layList(list: Tokens.List, layout: Layout): Row[] {
  const start = typeof list.start === 'number' ? list.start : 1;
  const items = list.items.map((item, index) => {
    const bullet = list.ordered ? `${start + index}. ` : '• ';
    const lead = [span(bullet, 'quiet'), ...(item.task ? [span(item.checked ? '[x] ' : '[ ] ')] : [])];
    return nested(
      item.tokens.filter((token) => token.type !== 'checkbox'),
      layout,
      lead,
      [span(' '.repeat(rowWidth(lead)))],
      !list.loose,
    );
  });
  return items.flatMap((rows, index) => (index > 0 && list.loose ? [[], ...rows] : rows));
}

/** Blocks behind a lead on the first row and another one on the rest. */
function nested(tokens: readonly Token[], layout: Layout, first: Row, rest: Row, tight = false): Row[] {
  // So deep a nest is no text for people; what is inside is still shown.
  if (layout.depth >= MAX_DEPTH)
    return [
      [
        ...first,
        span(
          tokens
            .map((token) => token.raw)
            .join(' ')
            .replaceAll('\n', ' '),
        ),
      ],
    ];
  const inner = { ...layout, width: Math.max(10, layout.width - rowWidth(first)), depth: layout.depth + 1 };
  const rows = layBlocks(tokens, inner, tight);
  return (rows.length > 0 ? rows : [[]]).map((row, index) => [...(index === 0 ? first : rest), ...row]);
}

const cellOf = (cell: Tokens.TableCell): readonly Span[] => inline(cell.tokens);

/** Inline tokens as spans; `styles` are those of what stands around them. */
const inline = (tokens: readonly Token[], styles: readonly Style[] = []): Span[] =>
  // The lexer decodes entities, so an escape that was none before (`&#27;`) may stand in its texts.
  inlineSpans(tokens, styles).map((raw) => ({ ...raw, text: stripTerminal(raw.text) }));

function inlineSpans(tokens: readonly Token[], styles: readonly Style[]): Span[] {
  return tokens.flatMap((generic): Span[] => {
    const token = generic as MarkedToken;
    const within = (style: Style) => [...styles, style];
    switch (token.type) {
      case 'strong':
        return inlineSpans(token.tokens, within('bold'));
      case 'em':
        return inlineSpans(token.tokens, within('italic'));
      case 'del':
        return inlineSpans(token.tokens, within('strike'));
      case 'codespan':
        return [{ text: token.text, styles: within('code') }];
      case 'br':
        return [{ text: '\n', styles }];
      case 'link':
        return linkSpans(token, styles);
      case 'image':
        return [{ text: `${token.text || 'image'} (${token.href})`, styles }];
      case 'text':
        return token.tokens ? inlineSpans(token.tokens, styles) : [{ text: prose(token.text), styles }];
      case 'escape':
        return [{ text: token.text, styles }];
      default:
        return [{ text: token.raw, styles }];
    }
  });
}

/** The text, and the address behind it: what a link claims and where it leads are both on the screen. */
function linkSpans(link: Tokens.Link, styles: readonly Style[]): Span[] {
  const shown = link.href.replace(/^mailto:/, '');
  if (link.text === link.href || link.text === shown) return [{ text: link.text, styles: [...styles, 'link'] }];
  return [...inlineSpans(link.tokens, styles), { text: ` (${link.href})`, styles: [...styles, 'link'] }];
}

/** A line break inside a paragraph is a space; the usual entities are characters. */
const prose = (text: string): string =>
  text.replaceAll('\n', ' ').replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity);

const span = (text: string, ...styles: Style[]): Span => ({ text: stripTerminal(text), styles });

function paintSpan(paint: ChalkInstance, { text, styles }: Span): string {
  const painters: Readonly<Record<Style, (text: string) => string>> = {
    bold: paint.bold,
    italic: paint.italic,
    code: paint.cyan,
    strike: paint.strikethrough,
    link: paint.underline,
    quiet: paint.dim,
    heading: paint.bold.blue,
  };
  return styles.reduceRight((painted, style) => painters[style](painted), text);
}
