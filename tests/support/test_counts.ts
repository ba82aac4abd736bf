import { writeFileSync } from 'node:fs'
import { BaseReporter } from '@japa/runner/core'
import type { NamedReporterContract } from '@japa/runner/types'

/** How many tests of one run passed and failed, as `tests/run.ts` adds them up. */
export interface TestCounts {
  passed: number
  failed: number
  /** Titles of the tests that failed. */
  failures: string[]
}

class CountReporter extends BaseReporter {
  async end() {
    const { aggregates, hasError, failedTestsTitles: failures } = this.runner!.getSummary()
    const failed = Math.max(aggregates.failed, hasError ? 1 : 0)
    const counts: TestCounts = { passed: aggregates.passed, failed, failures }
    writeFileSync(process.env.TEST_COUNTS!, JSON.stringify(counts))
  }
}

/** Writes the counts of a run to the file that `TEST_COUNTS` names. */
export const countReporter: NamedReporterContract = {
  name: 'counts',
  handler: (runner, emitter) => new CountReporter().boot(runner, emitter),
}
