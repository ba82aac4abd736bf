import { BarChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use, type EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

/* The program of `plot_process.ts`, which ends with its parent. */

use([BarChart, GridComponent, SVGRenderer])

process.on('message', ({ id, options }: { id: number; options: EChartsCoreOption }) => {
  process.send!({ id, svg: draw(options) })
})

function draw(options: EChartsCoreOption) {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 420, height: 170 })
  try {
    chart.setOption(options)
    return chart.renderToSVGString()
  } finally {
    chart.dispose()
  }
}
