import { availableParallelism } from 'node:os'
import { flags } from '@adonisjs/core/ace'
import { UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'

/** Two sets of parameters that the OWASP password storage cheat sheet rates as equal, and two stronger ones. */
const CANDIDATES = [
  { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  { memoryCost: 47_104, timeCost: 1, parallelism: 1 },
  { memoryCost: 65_536, timeCost: 2, parallelism: 1 },
  { memoryCost: 65_536, timeCost: 3, parallelism: 4 },
]

export default class HashCalibrate extends OperatorCommand {
  static commandName = 'hash:calibrate'
  static description = 'Measure what a password hash costs on this machine'
  static help = [
    'Gatehouse hashes with the first line; the others show what more would cost.',
    '',
    'Examples:',
    '  {{ binaryName }} hash:calibrate',
    '  {{ binaryName }} hash:calibrate --seconds=5 --json',
  ]

  @flags.number({ description: 'Seconds for each set of parameters', default: 1 })
  declare seconds: number

  async perform() {
    if (!(this.seconds > 0)) throw new UsageError('--seconds must be more than 0')
    const results = []
    for (const parameters of CANDIDATES) results.push(await this.#measure(parameters))
    this.print(results, [
      { name: 'memoryCost', title: 'KiB', width: 8 },
      { name: 'timeCost', title: 'Passes', width: 6 },
      { name: 'parallelism', title: 'Lanes', width: 6 },
      { name: 'milliseconds', title: 'ms each', width: 8 },
      { name: 'perSecond', title: 'Logins/s', width: 9 },
      { name: 'inUse', title: 'In use', width: 6 },
    ])
    await this.#countImported()
  }

  async #countImported() {
    const { countOutdatedHashes } = await import('#users/transfer/outdated_hashes')
    const count = await countOutdatedHashes()
    if (count === 0) return
    this.tell(`${count} users have a hash of another product or setting until their next login.`)
  }

  async #measure(parameters: (typeof CANDIDATES)[number]) {
    const { default: passwords } = await import('#config/passwords')
    const { measureHashRate } = await import('#auth/passwords/calibration')
    const rate = await measureHashRate(parameters, this.seconds * 1_000)
    return {
      ...parameters,
      perSecond: Math.round(rate),
      milliseconds: Math.round((1_000 * availableParallelism()) / rate),
      inUse: parameters.memoryCost === passwords.argon2.memoryCost,
    }
  }
}
