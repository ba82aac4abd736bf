import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 | Loading the charts would block this process for half a second and cost it 40 MB that it keeps.
 | Another process loads them, and ends when it is idle.
 */

const IDLE_MS = 60_000

const FILE = new URL(`plot_worker${extname(import.meta.filename)}`, import.meta.url)

interface Waiting {
  resolve: (svg: string) => void
  reject: (error: Error) => void
}

class PlotProcess {
  /** Starts without the environment, because it contains secrets. */
  #child = fork(fileURLToPath(FILE), { env: {} })
  #waiting = new Map<number, Waiting>()
  #lastId = 0
  #idle?: NodeJS.Timeout

  constructor() {
    this.#child.unref()
    this.#child.channel!.unref()
    this.#child.on('message', (answer) => this.#answer(answer as { id: number; svg: string }))
    this.#child.on('error', (error) => this.#end(error))
    this.#child.on('exit', (code) => this.#end(new Error(`The charts ended with ${code}`)))
  }

  draw(options: object) {
    clearTimeout(this.#idle)
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#waiting.set(id, { resolve, reject })
    this.#child.send({ id, options }, (error) => error && this.#end(error))
    return promise
  }

  #answer({ id, svg }: { id: number; svg: string }) {
    this.#waiting.get(id)?.resolve(svg)
    this.#waiting.delete(id)
    if (this.#waiting.size > 0) return
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
  }

  #end(error = new Error('The charts have ended')) {
    if (current === this) current = null
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
    this.#child.kill()
  }
}

let current: PlotProcess | null = null

/** Draws options of the charting library as an SVG document. */
export function drawInProcess(options: object) {
  current ??= new PlotProcess()
  return current.draw(options)
}
