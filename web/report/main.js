// Draws the charts of the page from its block of data: anew when the scheme changes, as pictures when it is printed.
(() => {
  'use strict';

  const { tidewireReport: report } = window;
  const data = JSON.parse(document.getElementById('data').textContent);
  const curves = data.kind === 'result' ? report.readCurves(data) : null;

  function draw() {
    report.removeAll();
    const select = document.getElementById('price-symbol');
    const prices = data.prices[select === null ? 0 : Number(select.value)];
    const note = document.getElementById('price-note');
    if (note !== null && prices !== undefined) note.textContent = prices.note;
    const show = report.drawPrice(prices, data.sources);
    if (data.kind === 'comparison') {
      report.drawComparison(data);
      return;
    }
    report.drawEquity(curves, data.currency, show);
    report.drawPnl(data.pnl, data.currency);
  }

  document.getElementById('price-symbol')?.addEventListener('change', draw);
  for (const [event, isPaper] of [
    ['beforeprint', true],
    ['afterprint', false],
  ]) {
    addEventListener(event, () => {
      document.body.classList.toggle('paper', isPaper);
      report.paperAll(isPaper);
    });
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  draw();
})();
