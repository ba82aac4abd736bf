import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { freePort } from '#tests/support/free_port'
import { logoutListener } from '#tests/support/logouts'
import { until } from '#tests/support/waiting'
import { ace } from './ace.ts'
import { ADMIN, codeOf, register, useProxy, WITH_ADMIN } from './application.ts'
import { signIn } from './backend.ts'
import { newDataDirFor, Product } from './product.ts'
import type { TestContext } from '@japa/runner/core'

/** Signs an administrator in to an application that does not listen yet. */
async function signedInto({ cleanup }: TestContext) {
  const [dataDir, port] = [newDataDirFor(), await freePort()]
  const products = [await Product.start(WITH_ADMIN, dataDir)]
  cleanup(useProxy(() => products.at(-1)!.url))
  cleanup(() => products.at(-1)!.remove())
  const { token } = await signIn(products[0], ADMIN)
  const backchannelLogoutUri = `http://127.0.0.1:${port}/logout`
  const app = await register(products[0], token, { backchannelLogoutUri })
  const { answer, checks } = await codeOf(app, ADMIN)
  const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
  const sessionId = tokens.claims()!.sid as string
  return { products, dataDir, port, token, sessionId }
}

test.group('Back-channel logout | process', () => {
  test('kill -9 after the end loses no message', async (context) => {
    const { products, dataDir, port, token, sessionId } = await signedInto(context)
    const path = `/auth/sessions/${sessionId}`
    const { status } = await products[0].ask(path, { method: 'DELETE', token })
    await products[0].stop('SIGKILL')
    context.assert.equal(status, 200)
    const listener = await logoutListener({ port })
    context.cleanup(listener.close)
    products.push(await Product.start(WITH_ADMIN, dataDir))
    await until(() => listener.told.length > 0, 40_000)
    await wait(1_000)
    context.assert.deepEqual(
      listener.claims().map(({ sid }) => sid),
      [sessionId]
    )
  })

  test('kill -9 during a delivery loses no message', async (context) => {
    const { products, dataDir, port, token, sessionId } = await signedInto(context)
    const listener = await logoutListener({ port, isSlow: true })
    context.cleanup(listener.close)
    await products[0].ask(`/auth/sessions/${sessionId}`, { method: 'DELETE', token })
    await until(() => listener.told.length === 1)
    await products[0].stop('SIGKILL')
    listener.answer.isSlow = false
    products.push(await Product.start(WITH_ADMIN, dataDir))
    await until(() => listener.told.length === 2, 40_000)
    const [first, second] = listener.claims()
    context.assert.deepEqual([first.jti, first.sid], [second.jti, sessionId])
  })

  test('an end by command is told by the server', async (context) => {
    const { dataDir, port, sessionId } = await signedInto(context)
    const listener = await logoutListener({ port })
    context.cleanup(listener.close)
    await ace(dataDir, ['session:revoke', sessionId], { settings: WITH_ADMIN })
    await until(() => listener.told.length > 0)
    context.assert.equal(listener.claims()[0].sid, sessionId)
  })
})
