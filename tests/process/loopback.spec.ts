import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test } from '@japa/runner'
import { loopbackAddresses } from '#setup/environment/loopback'
import { freePort } from '#tests/support/free_port'
import { until } from '#tests/support/waiting'
import { Product } from './product.ts'

function portOf({ url }: Product) {
  return Number(new URL(url).port)
}

async function statusAt(url: string) {
  const response = await fetch(url).catch(() => null)
  return response?.status ?? null
}

test.group('Loopback', (group) => {
  let product: Product | undefined
  group.each.teardown(() => product?.remove())

  test('answers on both addresses under the name localhost', async ({ assert }) => {
    product = await Product.start()
    const port = portOf(product)
    const hosts = ['localhost', '127.0.0.1', '[::1]']
    const statuses = await Promise.all(
      hosts.map((host) => statusAt(`http://${host}:${port}/health/live`))
    )
    assert.deepEqual(statuses, [200, 200, 200])
    const address = `http://localhost:${port}`
    await until(() => product!.hasLogged(`Gatehouse is ready at ${address}`))
    assert.include(product.output.join(''), `${address}/admin/setup?token=`)
  }).skip(loopbackAddresses().length < 2, 'This machine has one loopback address.')

  test('listens on no other address than HOST', async ({ assert }) => {
    product = await Product.start({ HOST: '127.0.0.1' })
    assert.isNull(await statusAt(`http://[::1]:${portOf(product)}/health/live`))
  })

  test('refuses a port that is taken on the second address', async ({ assert }) => {
    const port = await freePort()
    const taken = createServer().listen(port, '::1')
    await once(taken, 'listening')
    product = await Product.spawn({ PORT: String(port) })
    assert.equal(await product.exits(), 1)
    assert.include(product.output.join(''), `::1:${port} is in use`)
    taken.close()
  }).skip(loopbackAddresses().length < 2, 'This machine has one loopback address.')

  test('answers a request of the second address before it ends', async ({ assert }) => {
    product = await Product.start()
    const socket = connect(portOf(product), '::1')
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    const body = JSON.stringify({ email: 'ada@example.org', password: 'Correct-h0rse!' })
    const head = ['POST /auth/login HTTP/1.1', 'host: localhost', 'content-type: application/json']
    socket.write([...head, `content-length: ${body.length}`, '', ''].join('\r\n'))
    await once(socket, 'connect')
    const stopped = product.stop()
    socket.write(body)
    await once(socket, 'close')
    assert.match(answer, /^HTTP\/1\.1 401 /)
    assert.equal(await stopped, 0)
  }).skip(loopbackAddresses().length < 2, 'This machine has one loopback address.')
})
