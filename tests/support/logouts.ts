import { createServer } from 'node:http'
import { once } from 'node:events'
import { LOGOUT_QUEUE } from '#config/queue'
import { decodeClaims } from './fixtures.ts'
import { drain } from './mail.ts'

/** Sends what is due, as the worker of a server would. */
export function sendLogoutTokens() {
  return drain(LOGOUT_QUEUE)
}

interface Listener {
  port?: number
  status?: number
  isSlow?: boolean
  isReset?: boolean
}

/** Starts an application that receives logouts, and answers so unless it hangs or resets. */
export async function logoutListener(given: Listener = {}) {
  const answer = { status: 204, isSlow: false, isReset: false, ...given }
  const told: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    told.push(new URLSearchParams(body).get('logout_token')!)
    if (answer.isSlow) return
    if (answer.isReset) return void request.socket.destroy()
    response.writeHead(answer.status, { location: '/elsewhere' })
    response.end()
  })
  server.listen(given.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const claims = () => told.map(decodeClaims)
  const close = () => void server.close().closeAllConnections()
  return { told, answer, claims, close, uri: `http://127.0.0.1:${port}/logout` }
}
