import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { homePath } from '#pages/sign_in/next_path'

/** The root of the site leads to the account, which asks who is not signed in to do so. */
export default class HomeController {
  /** A client that asks for anything gets the JSON that an API client expects. */
  show({ request, response }: HttpContext) {
    if (request.accepts(['json', 'html']) !== 'html') throw new E_NOT_FOUND()
    return response.redirect().status(303).toPath(homePath())
  }
}
