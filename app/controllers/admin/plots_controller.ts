import type { HttpContext } from '@adonisjs/core/http'
import { activityIn } from '#audit/trail/activity'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { rangeOf } from '#pages/dashboard/dashboard_page'
import { drawPlot, PLOTS, type PlotName } from '#pages/dashboard/plots'

export default class PlotsController {
  async show({ params, request, response, i18n }: HttpContext) {
    const name = String(params.name).replace(/\.svg$/, '')
    if (!Object.hasOwn(PLOTS, name)) throw new E_NOT_FOUND()
    const theme = request.qs().theme === 'dark' ? 'dark' : 'light'
    const image = await drawPlot(
      name as PlotName,
      { theme, locale: i18n.locale },
      await activityIn(rangeOf(request.qs().range))
    )
    response.header('content-type', 'image/svg+xml')
    response.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    return response.send(image)
  }
}
