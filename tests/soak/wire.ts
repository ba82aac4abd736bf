import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { jsonRequest, type JsonRequest } from '#tests/process/product'
import { RawConnection, statusOf } from '#tests/process/raw_connection'
import { until } from '#tests/support/waiting'
import type { Random } from './random.ts'
import type { Member, Servers } from './servers.ts'

/** The product closes connections that are idle for longer. */
const IDLE_MS = 2_000

/** The bounds of all answers are far below this. */
const ANSWER_MS = 60_000

/** Time that a client waits before it repeats a request to a server that did not serve it. */
const PAUSE_MS = 100

interface Line {
  connection: RawConnection
  usedAt: number
}

/** Whether a request of this operation was not served, so that any outcome is possible. */
export const operation = new AsyncLocalStorage<{ isDisturbed: boolean }>()

/** Sends requests on connections that stay open, and judges how each is answered. */
export class Wire {
  /** The number of answers by status; null is no answer. */
  readonly statuses = new Map<number | null, number>()
  readonly violations: string[] = []
  #idle = new Map<Member, Line[]>()

  constructor(readonly servers: Servers) {}

  /** Like the global `fetch`, without redirects. Rejects if no answer comes. */
  readonly fetch = async (url: string, options: RequestInit = {}) => {
    const request = new Request(url, options)
    const { pathname, search } = new URL(url)
    const [method, path] = [request.method, pathname + search]
    const sent = { method, path, headers: Object.fromEntries(request.headers) }
    const text = await this.#answerTo(url, { ...sent, body: await request.text() })
    this.#count(text === null ? null : statusOf(text))
    if (text === null) throw new Error(`${path} was not answered`)
    this.#judge(`${method} ${pathname}`, text)
    if (statusOf(text) === 503) await wait(PAUSE_MS)
    return toResponse(text)
  }

  /** Sends a JSON request to any of the processes. The status is null if no answer comes. */
  async request(random: Random, path: string, request: JsonRequest = {}) {
    const url = this.servers.pick(random).product.url + path
    const response = await this.fetch(url, jsonRequest(request)).catch(() => null)
    const text = response && (await response.text())
    return { status: response?.status ?? null, body: text ? JSON.parse(text) : null }
  }

  #count(status: number | null) {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    const current = operation.getStore()
    if (current && (status === null || status === 503)) current.isDisturbed = true
  }

  #judge(name: string, text: string) {
    const status = statusOf(text)
    const isRefused = status === 503 && /\r\nretry-after: [1-9]/i.test(text)
    if (status >= 500 && !isRefused) this.violations.push(`${name}: ${this.#explain(text)}`)
  }

  /** Returns the answer, and the line that the process logged for it. */
  #explain(text: string) {
    const [, id = 'none'] = /\r\nx-request-id: (\S+)/i.exec(text) ?? []
    const line = this.servers.output.split('\n').find((each) => each.includes(id))
    return `${text.slice(0, 600)} ${line ?? ''}`
  }

  async #answerTo(url: string, request: Parameters<RawConnection['send']>[0]) {
    const member = this.servers.find(url)
    if (!member || member.product.hasEnded) return this.#pause()
    let sentAt = performance.now()
    try {
      await noticeEnds()
      const line = this.#idleLine(member) ?? (await RawConnection.open(member.product.url))
      sentAt = performance.now()
      const text = await withinDeadline(line.send(request))
      this.#release(member, line, text)
      return text
    } catch (error) {
      const { message } = error as Error
      await this.#judgeMissing(member, sentAt, `${request.method} ${request.path}: ${message}`)
      return this.#pause()
    }
  }

  async #pause() {
    await wait(PAUSE_MS)
    return null
  }

  /** A process that ends by itself is judged by its exit, which is noticed a little later. */
  async #judgeMissing(member: Member, sentAt: number, what: string) {
    const isExcused = () =>
      member.end === 'killed' || member.product.hasEnded || sentAt >= member.drainsFrom
    if (member.end === 'none') await until(isExcused, 2_000).catch(() => {})
    const isDraining = member.end === 'stopped' && sentAt < member.drainsFrom
    if (isDraining || !isExcused()) this.violations.push(`no answer (${member.end}) to ${what}`)
  }

  #idleLine(member: Member) {
    const lines = this.#idle.get(member) ?? []
    for (let line = lines.pop(); line; line = lines.pop()) {
      const isFresh = performance.now() - line.usedAt < IDLE_MS
      if (isFresh && line.connection.isOpen && !line.connection.surplus) return line.connection
      this.#close(line.connection)
    }
    return null
  }

  #release(member: Member, connection: RawConnection, text: string) {
    if (/\r\nconnection: close\r\n/i.test(text)) return this.#close(connection)
    const lines = this.#idle.get(member) ?? []
    this.#idle.set(member, [...lines, { connection, usedAt: performance.now() }])
  }

  #close(connection: RawConnection) {
    const { surplus } = connection
    if (surplus) this.violations.push(`answered twice: ${surplus.slice(0, 600)}`)
    connection.close()
  }

  /** Ends all connections. An answer that no request asked for has arrived by now. */
  close() {
    for (const lines of this.#idle.values()) {
      for (const { connection } of lines) this.#close(connection)
    }
    this.#idle.clear()
  }
}

/** Waits for a whole turn of the event loop, which notices that servers ended idle connections. */
async function noticeEnds() {
  await setImmediate()
  await setImmediate()
}

async function withinDeadline(answer: Promise<string>) {
  const ending = new AbortController()
  const late = wait(ANSWER_MS, null, { signal: ending.signal }).then(() => {
    throw new Error(`nothing within ${ANSWER_MS} ms`)
  })
  try {
    return (await Promise.race([answer, late])) as string
  } finally {
    late.catch(() => {})
    answer.catch(() => {})
    ending.abort()
  }
}

function toResponse(text: string) {
  const end = text.indexOf('\r\n\r\n')
  const [, ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string])
  const body = Buffer.from(text.slice(end + 4), 'latin1')
  return new Response(body.length > 0 ? body : null, { status: statusOf(text), headers })
}
