import { Router, static as files } from 'express'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const library = dirname(fileURLToPath(import.meta.resolve('oidc-client-ts')))

/** A page without a server of its own, as the read-me sets it up. */
export function oidcClientTs({ url, issuer, clientId }) {
  const settings = {
    authority: issuer,
    client_id: clientId,
    redirect_uri: `${url}/callback`,
    scope: 'openid email profile',
  }
  const page = `<!doctype html><pre></pre>
    <script src="/library/browser/oidc-client-ts.min.js"></script>
    <script>(${signIn})(${JSON.stringify(settings)})</script>`
  const router = Router()
  router.use('/library', files(dirname(library)))
  router.get(['/', '/callback'], (_request, response) => response.send(page))
  return { signIn: router }
}

/** Runs in the browser. */
async function signIn(settings) {
  const { document, location, oidc } = globalThis
  const manager = new oidc.UserManager(settings)
  if (location.pathname === '/callback') {
    await manager.signinRedirectCallback()
    return location.replace('/')
  }
  const user = await manager.getUser()
  if (!user) return manager.signinRedirect()
  document.querySelector('pre').textContent = JSON.stringify(user.profile)
}
