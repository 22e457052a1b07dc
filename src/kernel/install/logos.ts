/** A file of the kernel's logo, under the name that Jupyter looks for. */
export interface Logo {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** The logo: a ring filled as far as the odds go, around a rising line. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="13" fill="#14324f"/>
<circle cx="32" cy="32" r="19" fill="none" stroke="#3f6d94" stroke-width="6"/>
<path d="M32 13a19 19 0 1 1-18.07 24.87" fill="none" stroke="#4fd1a5" stroke-width="6" stroke-linecap="round"/>
<path d="M22 39l7-8 6 4 8-11" fill="none" stroke="#fff" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`;

/** The logo at 64 by 64 pixels, as base64 of a PNG. */
const PNG_64 = [
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAAKnklEQVR4nOSbC3QU1RnH/zOzr2w2+847EDCQEJQkoJUoBRWl+ApoQeT0oJ6i9KBt',
  'OZVCbaE8xEerglagFqqiPCyoBTS8RKzyBvGQEAyR8MxryXPz2Gw2m92dnd7ZlMh2Z5fZ3YlHyO+cZYfv3tmZ75v73ft9353IcBW0IyYMkoObAlD3',
  'UBz6ke8kUNDgxwgHO/mnlgNVSe51N8d4t1uPbzsd6hQqWIM5Z0IWGPwNFHUvrmU47jOw+F3TycJyoeYAA2iHjjfKlcrnSctMCpQM1wEcOA846i13',
  'l/N5W9nu5ivb/AxgzLkvjZbJNxLxT3E9wnH7Ot14tKO0sP6yiO5pHHCnimIUH123yvNQ1B0xcmzmdb0s6jGAyaDbQFG4Ddc7FDXKbNSuu/xfnwFM',
  'eQUPEeUnoc9APcLrzB/5DEBR1GL0MSiaWuj7No4oyKdBH0EfxAvvbTTF0Q+hj0KDuldGFsI8/ADExOmgjtNDoVJDadLAeHcClP1jQMfQYB0svE4W',
  'bKcHzvoONB6rQsPX59HbkIgxnzIPn3CCTAK56AVMyf2hMZqJ8nowDNMjV9+lhiJDGfJcr8uLznI76vdWoLboNHoFjiuhTCMmtpJoSAcJiTMlIjF9',
  'EJQxasF23RN6UHIKYnFe7ETlllI0lV6ElHBAG2UeMZGDRCjVGqRkZEOt1Yfsp52mA62iES6dZ+z4bvUhdDa3QSrCv4sg6OKTkZGXf1XleTy1HkRC',
  'TKYGuYvuQWJeBqSCUScPWYwoMaWm+548iSdE9ffUe8jkR1ItMgGG4wo8tJKGMT8FMk6F1vJaREvU2V58egYS0m4Q1be9uRGtTXVwOTrg2e8C63IT',
  'A9BQmeKgMmigzTBDPzQJMQM1RNHQhkl5OAOMTIZzW75GNEQ1B+gTUpA6+MaQfViPGw3VF9BaZ4HXy0LUTcllGDAuFwnj0iHTB39GHMehZmM5qvac',
  'RKRE7AJqnQH9s0OHEE2XqlD9XQkcthbfzYrG60Xr2VrU/ucsVIwWsZlawW68y+mGmeFucMFe04xIiMgAcqUKA2+6BTTNCLazHg+qyorQUldDFPci',
  'UjhiCGtZNTrKbDDcmOwLmoQw5CTBetQCt6ML4RLRKpAy+Cbif3LBti6nA+dLjqKjrQVS0Xy2GiWLPoe73iXYzk+kWTNGIRLCNkCs3gQNGf5C8P5e',
  'WXocbmcnpESpkOPR8aOg2lENT7PwEqoerEHCzeIm4ysJexVIGjBYUM4P18qyYpC6G6Rm6bynMbVgrO/4lbWbcVjrJNXKwFUiffIwNBy/gHAIawRo',
  'zYlQxcYJtjVaKtDZLl2EdplJ943pUZ5nzrSHEVssbGRFkhLxQwciHMIygCExVVDucbvQVCNtnM7TPyUBy+Y/4yfjY60THx4k84Fb8JzkcZkIB9EG',
  '4JecWJ1RsK2h8pzPBaSEYWisefU5xMao/OQbt32JRmsLLu08K3ie5kYtaDkDsYg2AK+8UKjrZVm01FsgNQt/+zhys/1j/kpLPea9+rbv2HLwFLxd',
  'gUbnVwTzcPFuIN4ABpOg3N5qhdSMuTUXzzzmX6jyeFj8cu5f4XB2r/Wcl4Pzgl3wfMOgRIhFtAFUauHtQD6+Dwfer+M06qDtJr0Wq1+eHSBfsnwt',
  'vi33n2dsF4SjP1WqcOQohGgDBAt8nB3tEAPvPm8s+DWOb/snTn+xDi/PfQoqpSKg36qXZsNs8K/PfHWkGP/4oDCgr+18g+C1FPGhq01XItoAMrlC',
  'UM6vAGJYOm8mpj00znesIMnOjKkP4tC/V+LW3CE9ffhhf2e+f35hbbVh5p9fF/xNe7VwtMmoxE+CogMhJgoDzPzFBDz+8/EBct4dtr/7F6z5eBc2',
  '79qPBb95LKDPr/60DM2twqPM4wwS+zPiawxR1wP4S4XK8x64Kx8v/H568POJazw55X7f5/9ZuW4r9h8rCXquN9jSG0aNRbQLBAtxZQpV0HNuGZbl',
  '8+lIKD51Fi+uXB+yj1IvPDFTvWEA1vP9UKfUFGhDt58Fc42BaUnYuHxBwERXXduA4Q/MwJqPdgWtEXR0OvHUH18Dy4YOrjSpwvVHfp9BLKJdwONy',
  'gTYxUI+OhczcrTxLMjNVhRZOu38OYNTHYfOqJdBr/Z9Qq82OSTMXoqauEc+9shqFXxzC8sWzfHPBlcx+8S1UXWrA1dCkCscmrkbxCZnoEdDZYUfs',
  '3Zoe5XkYowyp4/2zQ/6Jf7hiEfol+yvl7HJh6qwluFhT1yM7dLwUY6bMwtubtqPL1R3bv/neZmz5bD/EoMuOF5R3XrJBLKJHgMvbDkYbaC/tSCOY',
  'D2Rgu7rzdD51zRs6KKDfzPmv4/i3ZwLk/HCf99o7eGnlBiQnmnCuQlxYLdMooc4UngNaz1999FxG9AiwWRrAeQJ9llbQ6D8+x3ecYNLjkfvvCOiz',
  'YNka7PjqKELBG0Ks8jz97rkpaFtTcQXEElY6bC9tFZQnjh3gW86S4o2kTuj/k/zwXvWvQkgJTQIp/ppCdJxqI5OgG2IJywA1O4U3KRmdDAMLRuDk',
  '6QtYv3VPj/zTPYcwf+m7kJqMyT8BEycc7V3adw7hEFYgxBcnu2ryoEyLCWhLfPAGNBZXkRn879i9/xi0mlh8vHMvpEaXnoj4sWmCba66LjR8E962',
  'ethFUcueM8I/RPLwoc+O9gUnu/d/0yvKqwxxyH52lGA9kOfChiKES9gGqD1Qji6LcNVXZpAhd/44qHRxkBqFWo1hfxjrczch+L0D66lqhEv4+wJk',
  'IShbcQCcWziKk5vlyHvhZzDnpEMq9AOSMHzxeF/RU/CWWA7l7x1GJES0M+TucMLr4KDPEa688Du45tvSoE1OREt5HbyuyLbD+RrEoIkjkf4k2YiJ',
  'Cz5dXVx/Ei1llxAJUW2OZj5xO+LvTAvZhx8pzcfqcHFrMbqsdoiBYhgk52ai39QhkMXLQ/at312Bc5uOIVKifkMke/oYGEcnieprP2VD29l6OCxt',
  'cFjb0VFD6oks/6QVUCfroOlvgnlYKtSDtGAMVy9qtBU1oXTFl4gGSV6RyZp+O8yj0/BD0rivGuVrj4CK8u4leUPEWlwN1sZClxUfdImSCn7Cu/h+',
  'CSoLSyDFlaR9SUofi+ynRwfdz48Wj82FsjcOoL1CulI8/54g2WmkxJdRRWAYkor0ghzEZGlAM9E/J9bpRS0JwGp2lPVknVLAvyYn40DVkVuUbtEm',
  'tJy2+D4x8XqSKQ6FYWQSGE345UdHRTtxLwtq9pTB2ymd4t/D1fEvSh4lBhiJXiY21QhTZj+oU3RQJqmhMKsgM8lICN0di7FdLMkzHHBUtqHxZJVv',
  'Xefc0u43BsBx+8hj4UiiTvW6AToszb7PjwmOwgmaA7cJfRTWS79PNxdtIyOAO4g+BilIH2498cmJbgf00gvQx+DAzuG/ffGmo+50RUxyloEClY8+',
  'AHH7N5uLt73DH/ekw9Yi2xwyLsTVo69liI4+Xf/HFfWAvR4n3JOJecTXlK8xyJOv8ulIdL0s8yuI2It3NTY1KgYQK+3CdQaJ+nZbG5RDeB2vlAeL',
  'UylTXsFEUPRcUu2+Hdcw/GxPtFxqLfr0EwhsZF81UDfdXDAELPUwGSvjSOpJcl4q+Zr483mK+5xs5261FRWGrJP/FwAA//+iEA8KAAAABklEQVQD',
  'AGdcm35QPXzqAAAAAElFTkSuQmCC',
].join('');

/** The logo at 32 by 32 pixels, as base64 of a PNG. */
const PNG_32 = [
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAFP0lEQVR4nLxXXWwUVRT+7szsdLs/bfeHbrcV2+ICRWkJlZYiJGIgoRGh0YRI1CcB',
  'jVGI/DwQJAYiPw/AixViFH3AkIAxRqAVAgFeLGJqoeIapQGWFpay2x/a3W53Z3Z3xjuz7pTK7jIo9EumPefec+/59sw959zhcB9sNUtnEpb7gCFy',
  'nQxSTQADHgNkIE4g/y7JpF1OJj67d6XVm54j6f+O2uXvU2UPFY14opBjskQ2DnQeO6BorPLHMbtpMyFkH3XO4YmDcIRgqdE9bTja23WR2GqX1zA0',
  'NHSQx0RCliNxhpnFMcDbE+5cASFmTpbW0pCTBr1ruLw8FNiLYSqwwVhcAMeyYhAzg3ifAME/ipBvAL0/dyEeGdW5I2mgh69piB6+wpxmLAfX0x7Y',
  'S8pAGEYd42fwMM03P2CbHEmi74wfN1raIUvJXNsq2THMmt1Vu3MZcQYelTPnoMAxiUaNjC2WZBjKeRADGWfP8AwsMwrhqnsGw11BxEOxrHvTlUbi',
  'rG2SsxmwnAFTZs0Fb8zXxiKhIQwF70AcjUCIRsBZeBRNLYGl3A7ngsngCscSKRlK4NLWUxDD2V9JdgL011ZWz4HJWqSqEg1nsOc6+v3dINl2o0d6',
  '2usNcC4sU5JNHYrdHEX79lYwyOyGybaXs7RCc66E23elHQO5nCtISOg6fAHidz6aZSmHxgoTqt6al3VJRgIsx8M5uVLTg7euIxYJQw92bFyFk7u2',
  'ojH0lDbmfKkMnMmon0CB0wWWVYskoiMh9N32QQ8aX6zHu28sU+XeDh+kaCoLCEPgrp+qn4DV7tTkgd5bucP+D0pdTjRvW6fKf17rxtdHWzHs7dPm',
  'bTVu/QSMZqsmi9GRB+anTHbjwCcfYt7sZ1VdSc/Pd25AUYEFMUHE6s17IYhxDHT4tTX5FZZMrpCx+Si5n4YQiYybcxc7cPzgLricNqx4eSG+PNKC',
  '0aigkflo70F0+W6p8r2/Atq6dFboIqCcYK3o3Fd8LOZ8HG3+WHWexpqVr2hy6/mLOPT9aU03WMauE1LsEdIwLgrgq3gYpvHIt6aqNMex+GbfFszw',
  'lCORSGLttk/x1bc/amv8d/uxblvzuH1MjjGicixzWc4YAcN0FqYFqTpfHKyEr3UAe7e8hwV11erY+h37ceTEOfU5cfYCNqxagV0HDiM0Mv512apL',
  'NFkMC9BNIBpWct6VItBYjsELXXizabGq7/niiOo4jbZfverzbzAGDvb5pZo+5L0L3QR6znjhXlIJxszSWs/C1ViNddubYS+yYv+hH6AHnlfrwean',
  '3nAynETPWW9Gu4xnQIqJCJzu0XTHolKc6+vW7bzkBQ+cS8o0PXD6JmQxoZ+AghutHUgMxlNGLIHnnVo881o9srZOqP0dlUufx5TVtWr1UyAGRNw4',
  'eTnrmpzt2OS2oXrTQnD2sXQSAwL6227TXh9AyN9Po5WEraqUXmzLUPjcJPCuPM02Tp1f3nkK8XDsvxFQwFtNqNmwGHkVj3ZbF/0xdO4+Q69n0Zx2',
  'DyWggl7Jpq9sgG0ubVJWNqdpPEBLcNsdGvYOyInEQ7dW7oQX6duaCx1g6aXUXeeh+e1GXqkJhmJevYJJMQmj18IInu9Gn9eHhCjo2U45M79wtOp2',
  '0mqri0BSEHD7pz/U53FA8c3ICeyngogJhuJT+U5kY8GrQZO7KkGjsBgTCJlIm+51thxXT1T07tW2fFdVkBB50ZP/PpSVvrh+8NIJtXNpR5qSaM+b',
  '5DlGKwhLiTC0ITvJffP/y2Xq8/w3+nl+XEom1wx2trSk5/4GAAD//z76054AAAAGSURBVAMAzxjZcxOPOSYAAAAASUVORK5CYII=',
].join('');

/** The logos of a kernelspec: SVG, and PNG of 64 and 32 pixels for front ends without SVG. */
export function logos(): Logo[] {
  return [
    { name: 'logo-svg.svg', content: SVG },
    { name: 'logo-64x64.png', content: Buffer.from(PNG_64, 'base64') },
    { name: 'logo-32x32.png', content: Buffer.from(PNG_32, 'base64') },
  ];
}
