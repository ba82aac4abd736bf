import { Product } from '#tests/process/product'
import type { Random } from './random.ts'

/** A process of the product, and whether the soak has ended it. */
export interface Member {
  product: Product
  end: 'none' | 'stopped' | 'killed'
  /** Requests that were sent before this moment reached the process before SIGTERM did. */
  drainsFrom: number
}

/** The processes that serve one installation. */
export class Servers {
  readonly started: Member[] = []
  readonly violations: string[] = []
  #current: Member[] = []

  constructor(
    readonly settings: Record<string, string>,
    readonly dataDir: string
  ) {}

  async start(count: number) {
    for (let index = 0; index < count; index++) this.#current.push(await this.#startOne())
  }

  async #startOne() {
    const product = await Product.start(this.settings, this.dataDir)
    const member: Member = { product, end: 'none', drainsFrom: Infinity }
    product.child.once('exit', (code, signal) => this.#judgeExit(member, code ?? signal))
    this.started.push(member)
    return member
  }

  #judgeExit({ end, product }: Member, result: unknown) {
    if (end === 'killed' || (end === 'stopped' && result === 0)) return
    const output = product.output.join('').slice(-3_000)
    this.violations.push(`${product.url} exited ${result} (${end}): ${output}`)
  }

  get running() {
    return this.#current.filter(({ product }) => !product.hasEnded)
  }

  pick(random: Random) {
    const { running } = this
    return random.pick(running.length > 0 ? running : this.#current)
  }

  find(url: string) {
    return this.started.find(({ product }) => url.startsWith(`${product.url}/`))
  }

  /** Kills a process and starts another one. */
  async kill(member: Member) {
    member.end = 'killed'
    await member.product.stop('SIGKILL')
    await this.#replace(member)
  }

  /**
   * Stops a process and starts another one. A process reads requests in the order in which they
   * arrive: when it answers the last one, it has accepted all earlier ones.
   */
  async stop(member: Member) {
    const sentAt = performance.now()
    await member.product.answers()
    member.drainsFrom = sentAt
    member.end = 'stopped'
    await member.product.stop('SIGTERM')
    await this.#replace(member)
  }

  /** Replaces processes that ended by themselves, which is already a violation. */
  async replaceEnded() {
    const ended = this.#current.filter(({ product }) => product.hasEnded)
    for (const member of ended) await this.#replace(member)
  }

  async #replace(member: Member) {
    const next = await this.#startOne()
    this.#current = this.#current.map((each) => (each === member ? next : each))
  }

  /** Everything that the processes have printed. */
  get output() {
    return this.started.flatMap(({ product }) => product.output).join('')
  }

  async remove() {
    for (const member of this.started) {
      if (!member.product.hasEnded) member.end = 'killed'
      await member.product.remove()
    }
  }
}
