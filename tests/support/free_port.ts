import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * The range is below the ports that systems give to outgoing connections: such a connection could
 * take the port between this look and its use.
 */
const [FIRST, LAST] = [15_000, 32_000]

/** Ports that this process has returned: a server that a test restarts finds its port free. */
const given = new Set<number>()

/**
 * Returns a loopback port on which no process listens. Concurrent processes of one run get
 * different ports, because `TEST_PORTS` names the part of each process, such as 2/4.
 */
export async function freePort(): Promise<number> {
  const [part, parts] = (process.env.TEST_PORTS ?? '1/1').split('/').map(Number)
  const size = Math.floor((LAST - FIRST) / parts)
  const first = FIRST + (part - 1) * size
  if (given.size > size / 2) given.clear()
  for (;;) {
    const port = randomInt(first, first + size)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

function isFree(port: number) {
  return new Promise<boolean>((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
