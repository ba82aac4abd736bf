import { writeSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseReporter } from '@japa/runner/core'
import type { NamedReporterContract } from '@japa/runner/types'

const STDOUT = 1

/** The name and the output of this run, if `tests/run.ts` shows several concurrent runs. */
const TITLE = process.env.TEST_TITLE
const OUTPUT = TITLE ? 3 : STDOUT

/** Reports after each file how far the run is, and how long the file took. */
class ProgressReporter extends BaseReporter {
  #files: string[] = []
  #current: string | null = null
  #startedAt = 0

  onSuiteStart({ name }: { name: string }) {
    const stack = this.runner!.suites.find((suite) => suite.name === name)?.stack ?? []
    const files = stack.map(({ options }) => String(options.meta.fileName))
    this.#files = [...new Set(files)]
  }

  onGroupStart({ meta }: { meta: { fileName?: string } }) {
    this.#begin(meta.fileName)
  }

  onTestStart({ meta }: { meta: { fileName?: string } }) {
    this.#begin(meta.fileName)
  }

  onSuiteEnd() {
    this.#end()
  }

  #begin(file = '') {
    if (file === this.#current) return
    this.#end()
    this.#current = file
    this.#startedAt = performance.now()
  }

  #end() {
    if (this.#current === null) return
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(1)
    const place = `[${this.#files.indexOf(this.#current) + 1}/${this.#files.length}]`
    const file = relative(process.cwd(), this.#current)
    writeSync(OUTPUT, `${place} ${TITLE ? `${TITLE}: ` : ''}${file} ${seconds} s\n`)
    this.#current = null
  }
}

export const progressReporter: NamedReporterContract = {
  name: 'progress',
  handler: (runner, emitter) => new ProgressReporter().boot(runner, emitter),
}
