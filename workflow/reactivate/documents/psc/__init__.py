"""Phase-selective convolution (PSC): exhibits and statements."""
