import type { IncomingMessage } from 'node:http'

const WAIT_MS = 100

/** Returns null for a body that arrives late. The body stays readable for the later handler. */
export async function peekBody(request: IncomingMessage, length: number) {
  /** Most bodies arrive together with the head of their request. */
  const isHere = request.readableLength >= length || (await hasArrived(request, length))
  if (!isHere) return null
  const body: Buffer = request.read()
  request.unshift(body)
  return body.toString()
}

function hasArrived(request: IncomingMessage, length: number) {
  const isComplete = () => request.readableLength >= length
  return new Promise<boolean>((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      request.off('readable', look).off('close', stop)
      resolve(isComplete())
    }
    const look = () => isComplete() && stop()
    const timer = setTimeout(stop, WAIT_MS)
    request.on('readable', look).on('close', stop)
  })
}
