import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'

interface ReceivedMail {
  from: string
  to: string[]
  raw: string
}

/** The server's answer to a mail that it does not accept: a status, or `hang`. */
type Refusal = { code: number; at?: 'MAIL' | 'RCPT' | 'DATA'; text?: string } | 'hang'

/** A real SMTP server that keeps accepted mails and can refuse, hang or stop. */
export class SmtpServer {
  readonly received: ReceivedMail[] = []

  /** The number of deliveries that wait for a response in vain. */
  hanging = 0

  #refusals: Refusal[] = []
  #server?: SMTPServer

  constructor(
    readonly port: number,
    readonly credentials?: { user: string; pass: string }
  ) {}

  /** Refuses the next mails in this order, and accepts all later ones. */
  refuse(...refusals: Refusal[]) {
    this.#refusals.push(...refusals)
  }

  async start() {
    this.#server = new SMTPServer({
      authOptional: !this.credentials,
      disableReverseLookup: true,
      onAuth: ({ username, password }, _, done) => {
        const isRight = username === this.credentials?.user && password === this.credentials?.pass
        return isRight ? done(null, { user: username }) : done(new Error('Wrong credentials'))
      },
      onMailFrom: (_address, _session, done) => done(this.#refusalAt('MAIL')),
      onRcptTo: (_address, _session, done) => done(this.#refusalAt('RCPT')),
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk) => chunks.push(chunk))
        stream.on('end', () => {
          if (this.#refusals[0] === 'hang') return this.#hang()
          const refusal = this.#refusalAt('DATA')
          if (!refusal) this.#keep(envelope, Buffer.concat(chunks).toString('utf8'))
          done(refusal)
        })
      },
    })
    this.#server.on('error', () => {})
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server.server, 'listening')
  }

  async stop() {
    await new Promise<void>((resolve) => this.#server?.close(resolve) ?? resolve())
  }

  #hang() {
    this.#refusals.shift()
    this.hanging += 1
  }

  #refusalAt(stage: 'MAIL' | 'RCPT' | 'DATA') {
    const [next] = this.#refusals
    if (!next || next === 'hang' || (next.at ?? 'DATA') !== stage) return null
    this.#refusals.shift()
    return Object.assign(new Error(next.text ?? 'Not now'), { responseCode: next.code })
  }

  #keep({ mailFrom, rcptTo }: any, raw: string) {
    const to = rcptTo.map(({ address }: { address: string }) => address)
    this.received.push({ from: mailFrom.address, to, raw })
  }
}
