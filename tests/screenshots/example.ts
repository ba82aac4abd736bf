import { createClient } from '#oidc/clients/clients'
import { SYSTEM } from '#audit/actor'
import settings from '#config/oidc'
import { Example } from '../process/example.ts'
import { ADMIN } from './demo.ts'
import { emailOf } from './people.ts'
import type { Page } from 'playwright-core'

/** The port that `docs/openid-provider.md` names. */
const PORT = '4000'
const url = `http://localhost:${PORT}`

/** Starts a third-party application, which asks for consent. */
async function startExample() {
  const { client, clientSecret } = await createClient(
    {
      name: 'Example',
      kind: 'third_party',
      redirectUris: [`${url}/callback`],
      postLogoutRedirectUris: [`${url}/`],
    },
    SYSTEM
  )
  const { clientId: CLIENT_ID } = client
  return Example.start({ ISSUER: settings.issuer, PORT, CLIENT_ID, CLIENT_SECRET: clientSecret! })
}

/** Signs a person in to the example, and takes a picture of each page on the way. */
export async function walkExample(page: Page, take: (name: string) => Promise<void>) {
  const example = await startExample()
  try {
    await page.setViewportSize({ width: 1000, height: 760 })
    await page.goto(url)
    await page.getByRole('link', { name: 'Sign in with Gatehouse' }).click()
    await page.getByLabel('E-mail').fill(emailOf('person'))
    await take('example-sign-in')
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).waitFor()
    await take('example-consent')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByRole('heading', { name: 'Hello' }).waitFor()
    await take('example-signed-in')
    await page.goto(`${settings.issuer}/account/applications`)
    await take('example-applications')
  } finally {
    await example.stop()
  }
}
