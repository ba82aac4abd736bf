import { flags } from '@adonisjs/core/ace'
import string from '@adonisjs/core/helpers/string'
import { EXIT, UsageError } from './_exit_codes.ts'
import { OperatorCommand } from './_operator_command.ts'
import type { TrailVerdict } from '#audit/chain/verification'
import type { ExpectedHead } from '#audit/chain/verify_chain'

/** A sequence and a hash, as the line `audit head` of the log contains them. */
const HEAD = /^([1-9]\d{0,14}):([\w-]{43})$/

export default class AuditVerify extends OperatorCommand {
  static commandName = 'audit:verify'
  static description = 'Prove that no audit event was changed or removed'
  static help = [
    'Exits with 1 if the trail is not whole, and names the first broken link, events that',
    'no process has sealed, and accounts whose key is missing without an event of deletion.',
    'A head from the log ({"msg":"audit head"}) proves that the end of the trail',
    'is still there, even in a restored copy.',
    '',
    'Examples:',
    '  {{ binaryName }} audit:verify',
    '  {{ binaryName }} audit:verify --json',
    '  {{ binaryName }} audit:verify --expect=4711:0Yb…',
  ]

  @flags.string({
    description: 'A head of the log, <sequence>:<hash>, that has to be in the chain',
  })
  declare expect?: string

  async perform() {
    const expected = this.#expected()
    const { verifyTrail } = await import('#audit/chain/verification')
    const onProgress = (events: number) => this.#progress(events)
    const verdict = await verifyTrail({ expected, onProgress })
    if (process.stderr.isTTY) this.tell('')
    if (this.json) this.printJson(verdict)
    else this.printRecord(summaryOf(verdict))
    if (!verdict.isWhole) this.exitCode = EXIT.failed
    for (const line of describe(verdict, expected)) this.tell(line)
  }

  #expected(): ExpectedHead | undefined {
    if (this.expect === undefined) return undefined
    const [, sequence, hash] = HEAD.exec(this.expect) ?? []
    if (!hash) throw new UsageError('--expect is <sequence>:<hash>, as “audit head” is in the log')
    return { sequence: Number(sequence), hash }
  }

  #progress(events: number) {
    if (process.stderr.isTTY) process.stderr.write(`\r${string.pluralize('event', events, true)}`)
  }
}

function summaryOf({ isWhole, events, head, checkpoint, ...verdict }: TrailVerdict) {
  const { unsealed, missingKeys } = verdict
  const end = head ? `${head.sequence}:${head.hash}` : null
  return {
    isWhole,
    events,
    head: end,
    checkpoint,
    unsealed: unsealed.length,
    missingKeys: missingKeys.length,
  }
}

const UNSEALED = 'While a server runs, an event that stays unsealed is forged: see docs/audit.md.'

function describe(verdict: TrailVerdict, expected?: ExpectedHead): string[] {
  const { isWhole, events, broken, unsealed, missingKeys } = verdict
  if (isWhole) return [`The trail is whole: ${string.pluralize('event', events, true)}.`]
  const lines = broken ? [`The trail is broken: event ${broken.sequence} is ${broken.fault}.`] : []
  if (unsealed.length > 0) lines.push('Not sealed in time:', ...unsealed, UNSEALED)
  if (missingKeys.length > 0) {
    const users = missingKeys.map(({ userId }) => userId)
    lines.push('Keys are missing, and no event tells that these accounts were deleted:', ...users)
  }
  if (verdict.expectation) lines.push(describeExpectation(verdict, expected!))
  return lines
}

function describeExpectation(
  { expectation, checkpoint, head }: TrailVerdict,
  { sequence }: ExpectedHead
) {
  switch (expectation) {
    case 'early':
      return `Event ${sequence} lies before the checkpoint: the trail begins after ${checkpoint}, so that it proves nothing of it.`
    case 'beyond':
      return `Event ${sequence} is missing: the chain ends at ${head?.sequence ?? 0}.`
    default:
      return `The chain does not pass through the expected head: event ${sequence} has another hash.`
  }
}
