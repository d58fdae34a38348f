/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  /** Tokens of the prompt that the provider still had; as `input` when not given. */
  readonly cached?: number;
  readonly output: number;
}

/** Where prices were read, and when. List prices; where they differ by the time of day, the higher. */
const SOURCES: readonly {
  readonly from: string;
  readonly on: string;
  readonly prices: Readonly<Record<string, Price>>;
}[] = [
  {
    from: 'https://github.com/CommitBrief/commitbrief/wiki/Provider-OpenAI, of https://openai.com/api/pricing',
    on: '2026-05-27',
    prices: {
      'gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
      'gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
    },
  },
  {
    from: 'https://www.helicone.ai/model/gpt-4.1 and /o4-mini',
    on: '2026-11-30',
    prices: {
      'gpt-4.1': { input: 2, cached: 0.5, output: 8 },
      'o4-mini': { input: 1.1, cached: 0.275, output: 4.4 },
    },
  },
  {
    from: 'https://raw.githubusercontent.com/Sraleik/undetermini/HEAD/PRICING.md (no price of cached tokens)',
    on: '2026-05-07',
    prices: { 'gpt-4.1-mini': { input: 0.4, output: 1.6 }, 'gpt-4.1-nano': { input: 0.1, output: 0.4 } },
  },
  {
    from: 'https://deploybase.ai/articles/openai-api-pricing-2026 (no price of cached tokens)',
    on: '2026-03-21',
    prices: { o3: { input: 2, output: 8 } },
  },
  {
    from: 'https://deploybase.ai/articles/openai-api-pricing-2026; cached: https://aipromptshub.co/calc/gpt-5-cost (a tenth)',
    on: '2026-03-21',
    prices: {
      'gpt-5': { input: 1.25, cached: 0.125, output: 10 },
      'gpt-5.1': { input: 1.25, cached: 0.125, output: 10 },
    },
  },
  {
    from: 'https://developers.openai.com/api/docs/models/gpt-5-mini and /gpt-5-nano',
    on: '2026-11-30',
    prices: {
      'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
      'gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4 },
    },
  },
  {
    from: 'https://raw.githubusercontent.com/github/docs/main/data/tables/copilot/models-and-pricing.yml',
    on: '2026-11-30',
    prices: { 'gpt-5.2': { input: 1.75, cached: 0.175, output: 14 } },
  },
  {
    from: 'https://www.morphllm.com/openai-api-pricing',
    on: '2026-06-30',
    prices: {
      'gpt-5.4': { input: 2.5, cached: 0.25, output: 15 },
      'gpt-5.4-mini': { input: 0.75, cached: 0.075, output: 4.5 },
      'gpt-5.4-nano': { input: 0.2, cached: 0.02, output: 1.25 },
      'gpt-5.5': { input: 5, cached: 0.5, output: 30 },
    },
  },
  {
    from: 'https://api-docs.deepseek.com/quick_start/pricing (peak hours)',
    on: '2026-10-27',
    prices: {
      'deepseek-flash': { input: 0.3, cached: 0.006, output: 1.2 },
      'deepseek-v4-flash': { input: 0.3, cached: 0.006, output: 1.2 },
      'deepseek-v4-pro': { input: 1.32, cached: 0.044, output: 3.96 },
    },
  },
  {
    from: 'https://api-docs.deepseek.com/quick_start/pricing (the last list that names them)',
    on: '2025-09-05',
    prices: {
      'deepseek-chat': { input: 0.56, cached: 0.07, output: 1.68 },
      'deepseek-reasoner': { input: 0.56, cached: 0.07, output: 1.68 },
    },
  },
  {
    from: 'https://github.com/VladoIvankovic/Codeep/releases/tag/v3.3.0, of Model Studio international',
    on: '2026-09-11',
    prices: {
      'qwen3.8-max': { input: 2, output: 6 },
      'qwen3.8-flash': { input: 0.15, output: 0.47 },
      'qwen3.7-max': { input: 2.5, output: 7.5 },
      'qwen3.6-flash': { input: 0.25, output: 1.5 },
    },
  },
  {
    from: 'https://www.getmaxim.ai/bifrost/llm-cost-calculator/provider/dashscope/model/qwen-turbo',
    on: '2026-11-30',
    prices: { 'qwen-turbo': { input: 0.05, output: 0.2 } },
  },
];

/** The price of each model that has one here, by its name. */
export const PRICES: ReadonlyMap<string, Price> = new Map(SOURCES.flatMap(({ prices }) => Object.entries(prices)));
