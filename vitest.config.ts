import { defineConfig } from 'vitest/config';

const report = process.env.OPSAGENT_TEST_REPORT;

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/global-setup.ts'],
    // End-to-end tests start real programs: two cores, so few at a time, and a roomy deadline that is a safety net only.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});
