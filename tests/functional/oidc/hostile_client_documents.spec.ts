import { gzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import settings from '#config/oidc'
import { network, isPublicAddress } from '#network/public_hosts'
import { throughProxy } from '#tests/support/oidc'
import { documents, INTERACTION, pageOf, withDocuments } from '#tests/support/client_documents'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'Documents are fetched and judged, before one is stored.')

test.group('Client metadata document | hostile', (group) => {
  withDocuments(group)

  const JSON_TYPE = { 'content-type': 'application/json' }

  test('{title}: {text}')
    .with([
      { title: 'nothing there', text: 'did not answer with status 200', answer: null },
      {
        title: 'a redirect',
        text: 'did not answer with status 200',
        answer: (r: any) => r.writeHead(302, { location: '/client.json' }).end(),
      },
      {
        title: 'a page',
        text: 'not served as uncompressed application/json',
        answer: (r: any) => r.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
      },
      {
        title: 'no type',
        text: 'not served as uncompressed application/json',
        answer: (r: any) => r.writeHead(200).end('{}'),
      },
      {
        title: 'a compressed flood',
        text: 'not served as uncompressed application/json',
        answer: (r: any) =>
          r
            .writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.alloc(50_000_000))),
      },
      {
        title: 'a flood',
        text: 'too large',
        answer: (r: any) => r.writeHead(200, JSON_TYPE).end(' '.repeat(5_121)),
      },
      {
        title: 'bytes that are no text',
        text: 'not served as uncompressed application/json',
        answer: (r: any) => r.writeHead(200, JSON_TYPE).end(Buffer.from([0x22, 0xff, 0x22])),
      },
      {
        title: 'no JSON',
        text: 'not a JSON object',
        answer: (r: any) => r.writeHead(200, JSON_TYPE).end('{"client_id":'),
      },
      {
        title: 'a hang-up',
        text: 'No public server answered at its address over https.',
        answer: (r: any) => r.destroy(),
      },
      {
        title: 'another protocol',
        text: 'No public server answered at its address over https.',
        answer: (r: any) =>
          r.socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      },
    ])
    .run(async ({ assert }, { text, answer }) => {
      if (answer) documents.answers.set('/client.json', (_, response) => answer(response))
      const { page } = await pageOf(documents.url('/client.json'))
      assert.equal(page.response.status, 400)
      assert.include(page.html, text)
      assert.isEmpty(
        await db.from('oauth_client_documents').where('client_id', documents.url('/client.json'))
      )
    })

  test('5,120 bytes are read', async ({ assert }) => {
    const clientId = documents.serve('/client.json', { padding: '' })
    const { length } = JSON.stringify({
      client_id: clientId,
      client_name: 'Notes',
      redirect_uris: [documents.url('/callback'), 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      padding: '',
    })
    documents.serve('/client.json', { padding: 'x'.repeat(5_120 - length) })
    const { page } = await pageOf(clientId)
    assert.match(page.url.pathname, INTERACTION)
  })

  test('a server that drips is left after the deadline', async ({ assert, cleanup }) => {
    const { deadlineMs } = limits.clientDocumentSize
    limits.clientDocumentSize.deadlineMs = 300
    cleanup(() => void (limits.clientDocumentSize.deadlineMs = deadlineMs))
    documents.answers.set('/client.json', (_, response) => {
      response.writeHead(200, JSON_TYPE)
      const drip = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(drip))
    })
    const { page } = await pageOf(documents.url('/client.json'))
    assert.include(page.html, 'It took too long to read.')
  })

  test('another client_id is refused', async ({ assert }) => {
    documents.serve('/client.json', { client_id: documents.url('/other.json') })
    const { page } = await pageOf(documents.url('/client.json'))
    assert.include(page.html, 'Its client_id is not the address')
  })

  test('a machine gets the reason as JSON', async ({ assert }) => {
    const clientId = documents.serve('/client.json', { client_secret: 'secret' })
    const body = new URLSearchParams({
      client_id: clientId,
      grant_type: 'authorization_code',
      code: 'x',
    })
    const response = await throughProxy(`${settings.issuer}/oauth/token`, { method: 'POST', body })
    const { error, error_description: description }: any = await response.json()
    assert.equal(error, 'invalid_client')
    assert.include(description, 'it must be of a public client')
  })
})

test.group('Client metadata document | addresses', (group) => {
  withDocuments(group)

  const UNREACHABLE = 'No public server answered at its address over https.'

  test('a name of {addresses} is not connected to')
    .with([
      { addresses: ['10.0.0.1'] },
      { addresses: ['169.254.169.254'] },
      { addresses: ['::1'] },
      { addresses: ['::ffff:127.0.0.1'] },
      { addresses: ['64:ff9b::7f00:1'] },
      { addresses: ['127.0.0.1', '10.0.0.1'] },
      { addresses: [] },
    ])
    .run(async ({ assert }, { addresses }) => {
      documents.addresses = addresses
      const { page } = await pageOf(documents.serve('/client.json'))
      assert.include(page.html, UNREACHABLE)
      assert.equal(documents.requests, 0)
    })

  test('loopback is refused by the guard as it is', async ({ assert }) => {
    network.isPublic = isPublicAddress
    const { page } = await pageOf(documents.serve('/client.json'))
    assert.include(page.html, UNREACHABLE)
    assert.equal(documents.requests, 0)
  })

  test('the address that was checked is connected to, and no later one', async ({ assert }) => {
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['10.0.0.1']]
    network.resolve = async () => answers.shift() ?? []
    const { page } = await pageOf(documents.serve('/client.json'))
    assert.match(page.url.pathname, INTERACTION)
    assert.lengthOf(answers, 2)
  })

  test('a certificate of another name is refused', async ({ assert }) => {
    const url = documents.serve('/client.json').replace(documents.host, 'other.example.org')
    const { page } = await pageOf(url)
    assert.include(page.html, UNREACHABLE)
    assert.equal(documents.requests, 0)
  })

  test('a proxy of the environment is not used', async ({ assert, cleanup }) => {
    Object.assign(process.env, { HTTPS_PROXY: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1' })
    cleanup(() => {
      delete process.env.HTTPS_PROXY
      delete process.env.NODE_USE_ENV_PROXY
    })
    const { page } = await pageOf(documents.serve('/client.json'))
    assert.match(page.url.pathname, INTERACTION)
  })
})
