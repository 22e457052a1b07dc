/** The icon in the browser's tab and beside the name: three rising bars. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
<rect width="24" height="24" rx="6" fill="#2f6f5e"/>
<path d="M6.5 17v-4M12 17V9.5M17.5 17V6" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>
</svg>
`;
