import type { CDPSession, Page } from 'playwright-core'

/* Authenticators of Chromium itself (CDP WebAuthn domain). */

interface Kind {
  transport?: 'internal' | 'usb'
  hasResidentKey?: boolean
  hasUserVerification?: boolean
  isUserVerified?: boolean
  /** Whether somebody touches it at once; otherwise a page waits. */
  automaticPresenceSimulation?: boolean
}

interface VirtualAuthenticator {
  cdp: CDPSession
  authenticatorId: string
}

/** An authenticator of the browser of a page, beside those that it has. */
export async function addAuthenticator(page: Page, kind: Kind = {}): Promise<VirtualAuthenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2' as const,
    transport: 'internal' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    ...kind,
  }
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  return { cdp, authenticatorId }
}

/** Whether somebody touches the authenticator when it asks. */
export function touch({ cdp, authenticatorId }: VirtualAuthenticator, enabled: boolean) {
  return cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
}

/** Whether the person passes the fingerprint or PIN. */
export function verify({ cdp, authenticatorId }: VirtualAuthenticator, isUserVerified: boolean) {
  return cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

/** Deletes the passkeys on the device, of which the server hears nothing. */
export async function clear({ cdp, authenticatorId }: VirtualAuthenticator) {
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
}
