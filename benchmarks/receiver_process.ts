import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { Receiver } from '../tests/servers/receiver.ts'

/*
 | A receiver in a separate process, so that it takes no time from the measured callers. It runs
 | when the product does not, because a real receiver has its own machine.
 */

const isReceiver = process.argv[1] === import.meta.filename && process.send !== undefined

export class ReceiverProcess {
  private constructor(
    readonly url: string,
    readonly child: ChildProcess
  ) {}

  static async start() {
    const child = fork(import.meta.filename)
    const [url] = await once(child, 'message')
    setPriority(child.pid!, constants.priority.PRIORITY_LOW)
    return new ReceiverProcess(url, child)
  }

  /** Returns how many requests came since the last call. */
  async count(): Promise<number> {
    const answered = once(this.child, 'message')
    this.child.send('count')
    const [count] = await answered
    return count
  }

  async stop() {
    const ended = once(this.child, 'exit')
    this.child.disconnect()
    await ended
  }
}

if (isReceiver) {
  const receiver = await new Receiver().start()
  process.on('message', () => {
    process.send!(receiver.requests.length)
    receiver.requests = []
  })
  process.on('disconnect', () => receiver.stop())
  process.send!(receiver.url)
}
