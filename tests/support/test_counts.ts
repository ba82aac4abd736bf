import { AssertionError } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { BaseReporter } from '@japa/runner/core'
import type { NamedReporterContract } from '@japa/runner/types'

interface Failure {
  title: string
  /** The message of the error, with the difference between the compared values. */
  reason: string
}

/** The numbers of passed and failed tests of one run, which `tests/run.ts` adds up. */
export interface TestCounts {
  passed: number
  failed: number
  failures: Failure[]
}

class CountReporter extends BaseReporter {
  async end() {
    const { aggregates, hasError, failureTree } = this.runner!.getSummary()
    const failed = Math.max(aggregates.failed, hasError ? 1 : 0)
    const counts = { passed: aggregates.passed, failed, failures: failuresOf(failureTree) }
    writeFileSync(process.env.TEST_COUNTS!, JSON.stringify(counts satisfies TestCounts))
  }
}

interface FailedNode {
  name?: string
  title?: string
  errors: { error: unknown }[]
  children?: FailedNode[]
}

/** Returns the failures of tests, and of hooks by the name of their group or suite. */
export function failuresOf(nodes: FailedNode[]): Failure[] {
  return nodes.flatMap(({ name, title = name!, errors, children = [] }) => [
    ...errors.map(({ error }) => ({ title, reason: reasonOf(error) })),
    ...failuresOf(children),
  ])
}

function reasonOf(error: unknown) {
  if (!(error instanceof Error)) return String(error)
  const { message, actual, expected } = error as Error & { actual?: unknown; expected?: unknown }
  if (actual === undefined && expected === undefined) return message
  const difference = new AssertionError({ actual, expected, operator: 'deepStrictEqual' })
  return `${message}\n${difference.message}`
}

/** Writes the counts of a run to the file that `TEST_COUNTS` names. */
export const countReporter: NamedReporterContract = {
  name: 'counts',
  handler: (runner, emitter) => new CountReporter().boot(runner, emitter),
}
