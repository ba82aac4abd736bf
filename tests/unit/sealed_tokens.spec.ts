import { test } from '@japa/runner'
import { openToken, sealToken } from '#oidc/tokens/sealed_tokens'

const now = () => Math.floor(Date.now() / 1_000)

function someToken() {
  const [userId, sessionId] = [crypto.randomUUID(), crypto.randomUUID()]
  const times = { iat: now(), exp: now() + 60 }
  return { userId, sessionId, clientId: 'grafana', scope: 'openid email', ...times }
}

function flipped(text: string, at: number) {
  const other = text[at] === 'A' ? 'B' : 'A'
  return text.slice(0, at) + other + text.slice(at + 1)
}

test.group('Sealed tokens', () => {
  test('says what it was made of, and has an id', ({ assert }) => {
    const token = { ...someToken(), jkt: 'thumbprint' }
    const { tokenId, ...opened } = openToken(sealToken(token))!
    assert.deepEqual(opened, token)
    assert.match(tokenId, new RegExp(`^${token.sessionId}\\.[0-9a-f-]{36}$`))
  })

  test('two of the same content are two tokens', ({ assert }) => {
    const token = someToken()
    const [one, other] = [sealToken(token), sealToken(token)]
    assert.notEqual(openToken(one)!.tokenId, openToken(other)!.tokenId)
  })

  test('shows nothing of its content', ({ assert }) => {
    const token = someToken()
    const bytes = Buffer.from(sealToken(token).slice(4), 'base64url').toString('latin1')
    assert.notInclude(bytes, 'grafana')
  })

  test('fits in a column of 255 characters', ({ assert }) => {
    const scope = 'openid email profile offline_access'
    assert.isAtMost(sealToken({ ...someToken(), clientId: 'c'.repeat(24), scope }).length, 255)
  })

  test('a change of any character makes it invalid', ({ assert }) => {
    const text = sealToken(someToken())
    const changed = [...text].map((_, at) => flipped(text, at))
    assert.isTrue(changed.every((each) => openToken(each) === null))
  })

  test('“{$self}” is no token')
    .with(['', 'gho_', 'gho_AAAA', `gho_${'A'.repeat(300)}`, 'gho_ä'])
    .run(({ assert }, text) => {
      assert.isNull(openToken(text))
    })

  test('{seconds} s from its end it is open: {isOpen}')
    .with([
      { seconds: 5, isOpen: true },
      { seconds: 0, isOpen: false },
    ])
    .run(({ assert }, { seconds, isOpen }) => {
      const text = sealToken({ ...someToken(), exp: now() + seconds })
      assert.equal(openToken(text) !== null, isOpen)
    })
})
