import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { homePath } from '#pages/sign_in/next_path'

export default class HomeController {
  /** A client that accepts only JSON gets the error that API clients expect. */
  show({ request, response }: HttpContext) {
    if (request.accepts(['html', 'json']) !== 'html') throw new E_NOT_FOUND()
    return response.redirect().status(303).toPath(homePath())
  }
}
