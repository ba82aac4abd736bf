import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOrInstall } from '#tests/support/debian'
import { temporaryFolder } from '#tests/support/temporary_folder'

/** A clock that a test moves for several programs together, in any language (libfaketime). */
export class MovedClock {
  readonly #folder = temporaryFolder('clock')
  readonly #file = join(this.#folder, 'offset')
  #offsetMs = 0

  constructor() {
    this.move(0)
  }

  /** The environment of a program with this clock. Timers and time-outs follow the machine. */
  get settings() {
    return {
      LD_PRELOAD: library(),
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }
  }

  move(ms: number) {
    this.#offsetMs += ms
    writeFileSync(this.#file, `+${this.#offsetMs / 1_000}`)
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function library() {
  findOrInstall('faketime', 'faketime')
  const { stdout } = spawnSync('dpkg', ['-L', 'libfaketime'], { encoding: 'utf8' })
  return stdout.split('\n').find((path) => path.endsWith('/libfaketimeMT.so.1'))!
}
