import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { formPostResponseOf } from '#oidc/provider/form_post'

/** Sends an answer of the OpenID provider by a form (`app/oidc/provider/dispatch.ts`). */
export default class PostedAnswersController {
  show({ request, response, view }: HttpContext) {
    const answer = formPostResponseOf(request.request)
    if (!answer) throw new E_NOT_FOUND()
    response.status(200)
    /** Browsers apply `form-action` to each redirect of the application after the form. */
    const policy = String(response.getHeader('content-security-policy'))
    const directives = policy.split(';').filter((each) => !each.trim().startsWith('form-action'))
    response.header('content-security-policy', directives.join(';'))
    /** With `no-referrer` the form has `Origin: null`, which applications treat as an attack. */
    response.header('referrer-policy', 'origin')
    return view.render('applications/form_post', answer)
  }
}
