import { writeFileSync } from 'node:fs'
import { BaseReporter } from '@japa/runner/core'
import type { NamedReporterContract } from '@japa/runner/types'

/** How many tests of one run passed and failed, as `tests/run.ts` adds them up. */
export interface Tally {
  passed: number
  failed: number
}

class TallyReporter extends BaseReporter {
  async end() {
    const { aggregates, hasError } = this.runner!.getSummary()
    const failed = Math.max(aggregates.failed, hasError ? 1 : 0)
    const tally: Tally = { passed: aggregates.passed, failed }
    writeFileSync(process.env.TEST_TALLY!, JSON.stringify(tally))
  }
}

/** Writes the counts of a run to the file that `TEST_TALLY` names. */
export const tallyReporter: NamedReporterContract = {
  name: 'tally',
  handler: (runner, emitter) => new TallyReporter().boot(runner, emitter),
}
