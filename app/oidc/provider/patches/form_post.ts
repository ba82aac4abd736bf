import Provider from 'oidc-provider'
import { receivesForms } from '#oidc/provider/form_post'

/**
 * oidc-provider 9.13 allows `form_post` for every address of a client. Patched, an address that
 * receives no form gets `invalid_request` in its query.
 */
export function limitFormPost({ Client }: Provider) {
  Client.prototype.responseModeAllowed = (mode) => {
    const { redirect_uri: uri } = Provider.ctx?.oidc.params ?? {}
    return mode !== 'form_post' || typeof uri !== 'string' || receivesForms(uri)
  }
}
