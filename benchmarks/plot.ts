import { init, use } from 'echarts/core'
import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import { SVGRenderer } from 'echarts/renderers'
import type { OperationName } from './targets.ts'
import { linesOf, type Measured } from './measured.ts'

use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])

const WIDTH = 860
const BAR = 24
const TITLE = 40
const COLOURS = { product: '#2f6f4f', baseline: '#8a8f98', peer: '#c4873b', provider: '#c4873b' }

/** Twelve colours that readers can distinguish. */
const LINES = [
  ...['#1b9e77', '#d95f02', '#7570b3', '#e7298a', '#66a61e', '#e6ab02'],
  ...['#a6761d', '#666666', '#1f78b4', '#b2182b', '#35978f', '#8c510a'],
]

/** Returns a chart as a static SVG document. */
function draw(options: object, height: number) {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  chart.setOption({ animation: false, backgroundColor: '#ffffff', ...options })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
}

/** Draws the bars of each operation: one bar for each target, with its rate. */
export function plot(measured: Measured) {
  const operations = Object.keys(measured.rounds) as OperationName[]
  const panels = operations.map((operation) => linesOf(measured, operation))
  const heights = panels.map((lines) => TITLE + lines.length * BAR)
  const top = (index: number) => heights.slice(0, index).reduce((sum, each) => sum + each, 0)
  const options = {
    title: operations.map((operation, index) => ({
      text: `${operation}, per second`,
      top: top(index) + 8,
      textStyle: { fontSize: 13 },
    })),
    grid: panels.map((lines, index) => ({
      top: top(index) + TITLE,
      height: lines.length * BAR,
      left: 230,
      right: 80,
    })),
    xAxis: panels.map((_, gridIndex) => ({ gridIndex, show: false })),
    yAxis: panels.map((lines, gridIndex) => ({
      gridIndex,
      type: 'category',
      inverse: true,
      data: lines.map(({ target }) => target.title),
      axisLine: { show: false },
      axisTick: { show: false },
    })),
    series: panels.map((lines, index) => ({
      type: 'bar',
      xAxisIndex: index,
      yAxisIndex: index,
      barWidth: 15,
      label: { show: true, position: 'right' },
      data: lines.map(({ target, rate }) => ({
        value: Math.round(rate),
        itemStyle: { color: COLOURS[target.role] },
      })),
    })),
  }
  return draw(options, top(panels.length) + 10)
}

/** Symbols tell lines of one colour apart. */
const SYMBOLS = ['circle', 'rect', 'triangle']
const [LEGEND_WIDTH, LEGEND_LINE] = [350, 18]

/** Draws lines over sizes that grow tenfold: how much longer each query takes than at the first. */
export function plotGrowth(title: string, sizes: number[], growth: Record<string, number[]>) {
  const [lines, left] = [Object.entries(growth), WIDTH - LEGEND_WIDTH + 20]
  const options = {
    color: LINES,
    title: { text: title, left: 8, top: 6, textStyle: { fontSize: 13 } },
    legend: { orient: 'vertical', left, top: 34, itemGap: 4, textStyle: { fontSize: 11 } },
    grid: { left: 50, right: LEGEND_WIDTH, top: 60, bottom: 40 },
    xAxis: { type: 'category', data: sizes.map((size) => size.toLocaleString('en-GB')) },
    yAxis: { type: 'log', name: 'times', min: 0.1 },
    series: lines.map(([name, data], at) => {
      const symbol = SYMBOLS[Math.floor(at / LINES.length) % SYMBOLS.length]
      return { type: 'line', name, data, symbol, symbolSize: 7 }
    }),
  }
  return draw(options, Math.max(420, 60 + lines.length * LEGEND_LINE))
}
