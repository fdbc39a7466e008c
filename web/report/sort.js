// Sorts a table by the column whose heading is clicked: by `data-key` as a number where a cell has it, else by its text. A
// second click turns the order round. Headings are buttons for a keyboard, too.
(() => {
  'use strict';

  const keyOf = (cell) => (cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key));

  function sort(table, column, way) {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({ row, key: keyOf(row.cells[column]) }));
    rows.sort((a, b) => (a.key < b.key ? -way : a.key > b.key ? way : 0));
    body.append(...rows.map(({ row }) => row));
  }

  for (const table of document.querySelectorAll('table.sortable')) {
    const headings = [...table.tHead.rows[0].cells];
    for (const [column, heading] of headings.entries()) {
      heading.tabIndex = 0;
      heading.setAttribute('aria-sort', 'none');
      const turn = () => {
        const way = heading.getAttribute('aria-sort') === 'descending' ? 1 : -1;
        for (const other of headings) other.setAttribute('aria-sort', 'none');
        heading.setAttribute('aria-sort', way === 1 ? 'ascending' : 'descending');
        sort(table, column, way);
      };
      heading.addEventListener('click', turn);
      heading.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        turn();
      });
    }
  }
})();
